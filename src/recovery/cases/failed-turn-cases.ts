import type { FailedTurn, FailedTurnStep, FailedTurnView } from '../decide-failed-turn.ts';
import type { FailedTurnPolicy } from '../policies/failed-turn-policy.ts';
import type { Case } from './case.ts';

export const FAILED_AT = 1_800_000_000_000;
const MINUTE = 60_000;
const overloaded = { error: 'overloaded', message: '529 Overloaded', event: 7, recoverable: true } as const;
const refused = { error: 'auth', message: 'Invalid API key', event: 7, recoverable: false } as const;
const full = { error: 'context_full', message: 'Prompt is too long', event: 7, recoverable: false } as const;

function aFailedTurn(changes: Partial<FailedTurn> = {}): FailedTurn {
  return {
    error: 'overloaded',
    message: 'm',
    event: 5,
    since_ms: FAILED_AT - MINUTE,
    attempt: 1,
    attempts: 6,
    until_ms: null,
    ...changes,
  };
}

export function aFailedTurnView(changes: Partial<FailedTurnView> = {}): FailedTurnView {
  return {
    hasTask: true,
    failure: overloaded,
    known: null,
    answered: false,
    busy: false,
    progressed: false,
    stands: true,
    shownMs: 0,
    compacts: true,
    chance: 0,
    ...changes,
  };
}

type FailedTurnCase = Case<FailedTurnView, FailedTurnPolicy, FailedTurnStep>;

const row = (
  when: string,
  changes: Partial<FailedTurnView>,
  step: FailedTurnCase['step'],
  policy: Partial<FailedTurnPolicy> = {},
): FailedTurnCase => ({ when, view: aFailedTurnView(changes), step, policy });

const told = (attempt: number): FailedTurn => aFailedTurn({ attempt });
const due = (until_ms: number): FailedTurn => aFailedTurn({ until_ms });

export const FAILED_TURN_CASES: readonly FailedTurnCase[] = [
  ...[1, 2, 5, 10, 20, 30].map((minutes, index) =>
    row(
      index === 0 ? 'a turn fails with a temporary error' : `it fails again after attempt ${index}`,
      { known: index === 0 ? null : told(index) },
      {
        kind: 'plan',
        failed: {
          error: 'overloaded',
          message: '529 Overloaded',
          event: 7,
          since_ms: FAILED_AT,
          attempt: index + 1,
          attempts: 6,
          until_ms: FAILED_AT + minutes * MINUTE,
        },
      },
    ),
  ),
  row('it fails after the last attempt', { known: told(6) }, { kind: 'call', attempts: 6 }),
  row('it fails after the last attempt, but used a tool since', { known: told(6), progressed: true }, { kind: 'plan' }),
  row('no attempt is configured', {}, { kind: 'call', attempts: 0 }, { backoffMs: [] }),
  row('the attempt is not due', { known: due(FAILED_AT + 1) }, { kind: 'wait' }),
  row('the wait begins', { known: aFailedTurn({ since_ms: FAILED_AT, until_ms: FAILED_AT + 1 }) }, { kind: 'wait' }),
  row('the attempt is due', { known: due(FAILED_AT) }, { kind: 'go_on', how: 'continue', failed: told(1) }),
  row('it is due, and the screen shows the failure no longer', { failure: undefined, known: due(FAILED_AT) }, { kind: 'go_on' }),
  row('it is due, but the agent is not at its prompt', { stands: false, known: due(FAILED_AT) }, { kind: 'wait' }),
  row('it was due a minute ago, and a menu hides the prompt', { stands: false, known: due(FAILED_AT - MINUTE) }, { kind: 'go_on' }),
  row('the CLI works again by itself', { failure: undefined, busy: true, known: due(FAILED_AT) }, { kind: 'settle' }),
  row('a person sent a message during the wait', { answered: true, known: due(FAILED_AT + 1) }, { kind: 'settle' }),
  row(
    'the clock was set back during the wait',
    { known: aFailedTurn({ since_ms: FAILED_AT + MINUTE, until_ms: FAILED_AT + 2 * MINUTE }) },
    { kind: 'go_on' },
  ),
  row(
    'the clock was set back during the wait, and a menu hides the prompt',
    { stands: false, known: aFailedTurn({ since_ms: FAILED_AT + MINUTE, until_ms: FAILED_AT + 2 * MINUTE }) },
    { kind: 'go_on' },
  ),
  row('a prompt was sent since the failure, or waits', { answered: true }, { kind: 'nothing' }),
  row('the agent was told to continue and has not failed since', { failure: undefined, known: told(1) }, { kind: 'nothing' }),
  row('no turn failed', { failure: undefined }, { kind: 'nothing' }),
  row('a turn fails without a task', { hasTask: false }, { kind: 'nothing' }),
  row('the task of a failed turn is over', { hasTask: false, known: told(1) }, { kind: 'forget' }),
  row('the login, the payment or the request is refused', { failure: refused }, { kind: 'call', attempts: 0 }),
  row('the conversation is full (`ask`)', { failure: full }, { kind: 'call', attempts: 0 }),
  row(
    'the conversation is full (`compact`)',
    { failure: full },
    {
      kind: 'go_on',
      how: 'compact',
      failed: { error: 'context_full', event: 7, since_ms: FAILED_AT, attempt: 1, attempts: 1, until_ms: null },
    },
    { contextFull: 'compact' },
  ),
  row(
    'it is full (`compact`), and the CLI has no such command',
    { failure: full, compacts: false },
    { kind: 'go_on', how: 'fresh' },
    { contextFull: 'compact' },
  ),
  row('the conversation is full (`fresh`)', { failure: full }, { kind: 'go_on', how: 'fresh' }, { contextFull: 'fresh' }),
  row('it is full, but the agent is not at its prompt', { failure: full, stands: false }, { kind: 'wait' }, { contextFull: 'fresh' }),
  row(
    'it has been full for a minute, and a menu hides the prompt',
    { failure: full, stands: false, shownMs: MINUTE },
    { kind: 'go_on', how: 'fresh' },
    { contextFull: 'fresh' },
  ),
  row('it is full again after that', { failure: full, known: told(1) }, { kind: 'call', attempts: 1 }, { contextFull: 'compact' }),
  row(
    'it is full again after that, but used a tool since',
    { failure: full, known: told(1), progressed: true },
    { kind: 'go_on' },
    { contextFull: 'compact' },
  ),
];
