import { formatAge } from '../src/base/duration.ts';
import type { Case } from '../src/recovery/cases/case.ts';
import { FAILED_AT, FAILED_TURN_CASES } from '../src/recovery/cases/failed-turn-cases.ts';
import { decideFailedTurn, type FailedTurnStep } from '../src/recovery/decide-failed-turn.ts';
import { FAILED_TURN_POLICY } from '../src/recovery/failed-turn-policy.ts';

const INTRODUCTION = `# Recovery

What llmc does by itself after a failure, when it calls a person, and why. Each table below is generated from the cases that test
the decision (\`npm run docs\`), so the page and the program cannot differ. The figures are options of [\`[recovery]\`](configuration.md#recovery).
\`llmc why <worker>\` shows which row applied.
`;

/** docs/recovery.md. */
export function recoveryPage(): string {
  return [INTRODUCTION, failedTurn()].join('\n');
}

function failedTurn(): string {
  const waits = FAILED_TURN_POLICY.backoffMs.map((ms) => formatAge(ms)).join(', ');
  return `## A failed turn

A turn ends with an error after the CLI has given up its own retries. A temporary error (the service is overloaded or fails, the network
breaks, a stream is cut) needs no person: the agent is told to continue in the same conversation after ${waits}, plus up to
${FAILED_TURN_POLICY.jitter * 100} % by chance. The worker keeps its status, and \`llmc status\` shows the attempt and its time. A turn that ends well, or a tool
that the agent used since, starts the row again. [Usage limits](usage-limits.md) have a decision of their own.

${table(FAILED_TURN_CASES, afterFailure, (one) => decideFailedTurn(one.view, { ...FAILED_TURN_POLICY, ...one.policy }, FAILED_AT))}`;
}

function afterFailure(step: FailedTurnStep): string {
  switch (step.kind) {
    case 'plan':
      return `wait ${formatAge((step.failed.until_ms ?? FAILED_AT) - FAILED_AT)}, then continue`;
    case 'go_on':
      return { continue: 'continue', compact: 'compact, then continue', fresh: 'start a new conversation with the task so far' }[step.how];
    case 'settle':
      return 'drop the attempt';
    case 'forget':
      return 'forget the failure';
    case 'call':
      return 'call a person';
    case 'wait':
    case 'nothing':
      return step.kind;
  }
}

function table<View, Policy, Step extends { readonly kind: string; readonly why: string }>(
  cases: readonly Case<View, Policy, Step>[],
  then: (step: Step) => string,
  decide: (one: Case<View, Policy, Step>) => Step,
): string {
  const rows = cases.map((one) => {
    const step = decide(one);
    return `| ${one.when} | ${then(step)} | ${step.why} |`;
  });
  return ['| when | then | because |', '|---|---|---|', ...rows, ''].join('\n');
}
