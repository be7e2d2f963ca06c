import { type DeliveryStep, decideDelivery } from '../src/supervisor/deliver/decide-delivery.ts';
import { LOST_INPUT_CASES, PARTIAL_SEND_CASES, TYPED_AT } from '../src/supervisor/delivery-cases.ts';
import { DELIVERY_POLICY } from '../src/supervisor/samples.ts';
import { crash, failedTurn, limits, stuck, taken } from './recovery-agents.ts';
import { DIFFERENCES } from './recovery-differences.ts';
import { patrol, recordRules, sessions, stateFile, supervisor } from './recovery-supervisor.ts';
import { table } from './recovery-table.ts';
import { writesChapter } from './recovery-writes.ts';

const INTRODUCTION = `# Recovery

What llmc does by itself after a failure, when it calls a person, and why. Each table below is generated from the cases that test
the decision (\`npm run docs\`), so the page and the program cannot differ. The figures are options of [\`[recovery]\`](configuration.md#recovery).
\`llmc why <worker>\` shows which row applied.
`;

/** docs/recovery.md. */
export function recoveryPage(): string {
  return [
    INTRODUCTION,
    lostInput(),
    partialSend(),
    crash(),
    taken(),
    failedTurn(),
    stuck(),
    limits(),
    sessions(),
    patrol(),
    supervisor(),
    stateFile(),
    recordRules(),
    writesChapter(),
    DIFFERENCES,
  ].join('\n');
}

const deliveryOf = (one: (typeof LOST_INPUT_CASES)[number]) => decideDelivery(one.view.row, one.view.view, DELIVERY_POLICY, TYPED_AT);

function lostInput(): string {
  return `## Lost input

A prompt was typed and the agent has not reported it. llmc reads the report, then the CLI's transcript, then the screen, and types it again only
when it is provably nowhere, three times at most: 2 s after the first attempt (\`ack_timeout_ms\`), 5 s after the second; 10 s after the third, it\ngives up. [A prompt on its way](architecture.md#a-prompt-on-its-way) and [delivery](delivery.md) have the rest.

${table(LOST_INPUT_CASES, afterTyping, deliveryOf)}`;
}

function partialSend(): string {
  return `## A partial send

The text stands in the input box, whole or in part.

${table(PARTIAL_SEND_CASES, afterTyping, deliveryOf)}`;
}

const TYPING: Readonly<Record<DeliveryStep['kind'], string>> = {
  wait: 'wait',
  hold: 'hold it',
  requeue: 'type it again',
  fail: 'give it up and call a person',
  ack: 'count it as taken',
  clear: 'clear the conversation',
  relaunch: 'start a new conversation',
  respawn: 'save the screen, start the agent again in its conversation, type it a last time',
  type: 'type it',
  enter: 'press Enter',
  leave_mode: 'leave the copy mode',
  redraw: 'redraw the screen',
  wipe: 'empty the box, then type it again',
};

const afterTyping = ({ kind }: DeliveryStep): string => TYPING[kind];
