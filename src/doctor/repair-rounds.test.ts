import { expect, test } from 'vitest';
import type { RepairStep } from '../recovery/records/repair-step.ts';
import { type CheckResult, failed, repairable } from './check.ts';
import { repairRounds } from './repair-rounds.ts';

const STATE: RepairStep = { kind: 'state' };
const WORKTREE: RepairStep = { kind: 'worktree', worker: 'adam' };
const LOCKS: RepairStep = { kind: 'git_locks' };

const finding = (name: string, ...steps: readonly RepairStep[]): CheckResult => ({
  name,
  ...repairable(failed('broken'), ...steps.map((step) => ({ title: step.kind, does: `repair ${name}`, safe: true, step }))),
});

type Outcome = 'left' | 'repaired' | 'unneeded' | 'failed';

/** Each round: what the checks offer, and what becomes of each step. */
async function run(rounds: readonly { readonly checks: readonly CheckResult[]; readonly outcomes: readonly Outcome[] }[]) {
  const asked: string[][] = [];
  const { checks, reports } = await repairRounds(rounds[0]?.checks ?? [], {
    repair: async (repairs) => {
      asked.push(repairs.map(({ does }) => does));
      return repairs.map(({ step }, index) => ({ step, outcome: rounds[asked.length - 1]?.outcomes[index] ?? 'failed' }));
    },
    examine: async () => rounds[asked.length]?.checks ?? [],
  });
  return { asked: asked.length, does: asked[0], last: checks, reports: reports.map(({ step, outcome }) => `${step.kind} ${outcome}`) };
}

test('what a repair uncovers is repaired in the next round', async () => {
  const done = await run([
    { checks: [finding('state', STATE)], outcomes: ['repaired'] },
    { checks: [finding('worktrees', WORKTREE)], outcomes: ['repaired'] },
    { checks: [], outcomes: [] },
  ]);
  expect(done).toMatchObject({ asked: 2, last: [], reports: ['state repaired', 'worktree repaired'] });
});

test('a repair that shows up only after another one is marked as found later', async () => {
  const asked: (readonly boolean[])[] = [];
  const rounds = [[finding('state', STATE), finding('b', LOCKS)], [finding('branches', WORKTREE), finding('b', LOCKS)], []];
  await repairRounds(rounds[0] ?? [], {
    repair: async (offers) => {
      asked.push(offers.map(({ foundLater }) => foundLater));
      return offers.map(({ step }) => ({ step, outcome: 'repaired' }));
    },
    examine: async () => rounds[asked.length] ?? [],
  });
  expect(asked).toEqual([
    [false, false],
    [true, false],
  ]);
});

test('a repair that failed is tried again after another one worked, and only its success is reported', async () => {
  const checks = [finding('a', STATE), finding('b', WORKTREE)];
  const done = await run([
    { checks, outcomes: ['repaired', 'failed'] },
    { checks: [finding('b', WORKTREE)], outcomes: ['repaired'] },
  ]);
  expect(done.reports).toEqual(['state repaired', 'worktree repaired']);
});

test('a round without a success is the last one', async () => {
  const checks = [finding('a', STATE), finding('b', LOCKS)];
  expect(await run([{ checks, outcomes: ['failed', 'failed'] }])).toMatchObject({
    asked: 1,
    last: checks,
    reports: ['state failed', 'git_locks failed'],
  });
});

test('what another llmc has repaired meanwhile is not reported as broken', async () => {
  const done = await run([
    { checks: [finding('a', LOCKS)], outcomes: ['unneeded'] },
    { checks: [], outcomes: [] },
  ]);
  expect(done).toMatchObject({ asked: 1, last: [], reports: ['git_locks unneeded'] });
});

test('what a person left is not offered again', async () => {
  const done = await run([
    { checks: [finding('a', STATE), finding('b', LOCKS)], outcomes: ['repaired', 'left'] },
    { checks: [finding('b', LOCKS)], outcomes: ['repaired'] },
  ]);
  expect(done).toMatchObject({ asked: 1, reports: ['state repaired', 'git_locks left'] });
});

test('a damage that comes back after each repair ends the rounds', async () => {
  const again = { checks: [finding('a', STATE)], outcomes: ['repaired'] as const };
  expect((await run(Array.from({ length: 20 }, () => again))).asked).toBe(6);
});

test('a step that two checks ask for is done once, for both reasons', async () => {
  const done = await run([{ checks: [finding('state', STATE), finding('database', STATE)], outcomes: ['failed'] }]);
  expect(done.does).toEqual(['repair state; repair database']);
});
