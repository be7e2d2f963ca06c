import type { Ladder, StuckStep, StuckView } from '../decide-stuck.ts';
import type { StuckPolicy } from '../policies/stuck-policy.ts';
import type { Case } from './case.ts';

const MINUTE = 60_000;
export const STUCK_AT = 1_800_000_000_000;

type StuckCase = Case<StuckView, StuckPolicy, StuckStep>;

/** An agent that has shown nothing for so many minutes. */
function quiet(minutes: number, changes: Partial<StuckView> = {}): StuckView {
  return {
    atWork: true,
    busy: true,
    progressAt: STUCK_AT - minutes * MINUTE,
    ladder: undefined,
    takenAt: undefined,
    committed: undefined,
    ...changes,
  };
}

/** The same, after the first rung at 30 minutes or the third at 40. */
function climbed(minutes: number, rungs: Ladder['rungs'], changes: Partial<StuckView> = {}): StuckView {
  const since = STUCK_AT - minutes * MINUTE;
  return quiet(minutes, { ladder: { since, rungs, askedAt: since + (rungs === 3 ? 40 : 30) * MINUTE }, ...changes });
}

const row = (when: string, view: StuckView, step: StuckCase['step']): StuckCase => ({ when, view, step });

export const STUCK_CASES: readonly StuckCase[] = [
  row('the agent works without a sign of progress for 29 minutes', quiet(29), { kind: 'nothing' }),
  row('for 30 minutes', quiet(30), { kind: 'nudge', ladder: { since: STUCK_AT - 30 * MINUTE, rungs: 1, askedAt: STUCK_AT } }),
  row('for 34 minutes, after the first question', climbed(34, 1), { kind: 'nothing' }),
  row('for 35 minutes, after the first question', climbed(35, 1), { kind: 'ask_git' }),
  row('for 35 minutes, and git knows no commit', climbed(35, 1, { committed: false }), { kind: 'climb', ladder: { rungs: 2 } }),
  row('for 35 minutes, and git knows a commit', climbed(35, 1, { committed: true }), { kind: 'review' }),
  row('for 39 minutes, after the check', climbed(39, 2), { kind: 'nothing' }),
  row('for 40 minutes, after the check', climbed(40, 2), { kind: 'nudge', ladder: { rungs: 3, askedAt: STUCK_AT } }),
  row('for 44 minutes, after the second question', climbed(44, 3), { kind: 'nothing' }),
  row('for 45 minutes, after the second question', climbed(45, 3), { kind: 'ask_git' }),
  row('for 45 minutes, and git knows a commit', climbed(45, 3, { committed: true }), { kind: 'review' }),
  row('for 45 minutes, and git knows no commit', climbed(45, 3, { committed: false }), { kind: 'call', quietMs: 45 * MINUTE }),
  row('it took the question and shows only that', climbed(34, 1, { takenAt: STUCK_AT - 4 * MINUTE, progressAt: STUCK_AT - 3 * MINUTE }), {
    kind: 'nothing',
  }),
  row('it took the question and makes progress', climbed(34, 1, { takenAt: STUCK_AT - 4 * MINUTE, progressAt: STUCK_AT - MINUTE }), {
    kind: 'forget',
  }),
  row('it makes progress again without having taken the question', climbed(34, 1, { progressAt: STUCK_AT }), { kind: 'forget' }),
  row('it stands at its prompt, or the CLI retries', quiet(50, { busy: false }), { kind: 'nothing' }),
  row('the worker has no task', quiet(50, { atWork: false }), { kind: 'nothing' }),
  row('its task is over after a question', climbed(34, 1, { atWork: false }), { kind: 'forget' }),
];
