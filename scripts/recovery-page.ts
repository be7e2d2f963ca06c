import { formatAge } from '../src/base/duration.ts';
import type { Case } from '../src/recovery/cases/case.ts';
import { ENDED_AT, EXIT_CASES } from '../src/recovery/cases/exit-cases.ts';
import { FAILED_AT, FAILED_TURN_CASES } from '../src/recovery/cases/failed-turn-cases.ts';
import { STUCK_AT, STUCK_CASES } from '../src/recovery/cases/stuck-cases.ts';
import { decideExit, type ExitStep } from '../src/recovery/decide-exit.ts';
import { decideFailedTurn, type FailedTurnStep } from '../src/recovery/decide-failed-turn.ts';
import { decideStuck, type StuckStep } from '../src/recovery/decide-stuck.ts';
import { EXIT_POLICY } from '../src/recovery/exit-policy.ts';
import { FAILED_TURN_POLICY } from '../src/recovery/failed-turn-policy.ts';
import { STUCK_POLICY } from '../src/recovery/stuck-policy.ts';

const INTRODUCTION = `# Recovery

What llmc does by itself after a failure, when it calls a person, and why. Each table below is generated from the cases that test
the decision (\`npm run docs\`), so the page and the program cannot differ. The figures are options of [\`[recovery]\`](configuration.md#recovery).
\`llmc why <worker>\` shows which row applied.
`;

/** docs/recovery.md. */
export function recoveryPage(): string {
  return [INTRODUCTION, crash(), failedTurn(), stuck()].join('\n');
}

function crash(): string {
  const { maxCrashes, backoffMs, rateLimitMs } = EXIT_POLICY;
  const waits = backoffMs.map((ms) => (ms === 0 ? 'at once' : `after ${formatAge(ms)}`)).join(', then ');
  return `## An agent that ended

llmc starts an agent that ended without an order again in its conversation, ${waits}, plus up to ${EXIT_POLICY.jitter * 100} % by chance, and tells it to
continue. It calls a person at ${maxCrashes} crashes in a row. A finished task, a message of a person or a day without a crash ends the row. Status and signal
say who ended it; the last lines of an agent that was never ready say more (it cannot resume, it refuses to start, its program is missing), and so
does a last line about a rate limit, which is worth a wait of ${formatAge(rateLimitMs)}. \`crashed\` and \`not_found\` are different words: a session that is gone
left neither a status nor a screen. The last five screens of each worker are files in \`logs/\`, \`<worker>.screen-<time>.txt\`.

${table(EXIT_CASES, afterExit, (one) => decideExit(one.view, { ...EXIT_POLICY, ...one.policy }, ENDED_AT))}`;
}

function afterExit(step: ExitStep): string {
  switch (step.kind) {
    case 'delay':
      return `wait ${formatAge(step.until - ENDED_AT)}, then start it`;
    case 'fail':
      return 'call a person';
    case 'rest':
      return step.called ? 'nothing' : 'leave it without an agent until the review';
    case 'relaunch':
      return `start it in ${step.conversation === 'resume' ? 'its conversation' : 'a new conversation'}${step.goOn ? '' : ', without a prompt'}`;
    case 'wait':
      return 'wait';
  }
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

function stuck(): string {
  const { nudgeMs, checkMs, secondNudgeMs, callMs } = STUCK_POLICY;
  return `## An agent without progress

An agent is in a turn and shows nothing for ${formatAge(nudgeMs)}: it is interrupted and asked for its status. After ${formatAge(checkMs)} llmc checks for an answer and for
a commit, after ${formatAge(secondNudgeMs)} it asks again, and after ${formatAge(callMs)} it calls a person (\`needs_input\`). \`stuck_secs\` sets the four times, for all workers or for one.

Signs of progress are: a report of the agent, a new text on its screen (not the spinner or its timer), a line in its transcript, a
message over its protocol, a key of a person, and a command of the agent that used at least 50 ms of the processor in ten seconds. So a
long silent build is not stuck. A stream that stalls, a tool that hangs and a dialog that llmc does not recognise are.

${table(STUCK_CASES, whenStuck, (one) => decideStuck(one.view, STUCK_POLICY, STUCK_AT))}`;
}

function whenStuck(step: StuckStep): string {
  switch (step.kind) {
    case 'ask_git':
      return 'ask git for a commit';
    case 'nudge':
      return step.ladder.rungs === 1 ? 'interrupt it and ask for its status' : 'interrupt it and ask again';
    case 'climb':
      return 'wait for the next rung';
    case 'forget':
      return 'forget the silence';
    case 'review':
      return 'call a person to review the commit';
    case 'call':
      return 'call a person';
    case 'nothing':
      return 'nothing';
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
