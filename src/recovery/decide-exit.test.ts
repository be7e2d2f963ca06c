import { expect, test } from 'vitest';
import { anExit, ENDED_AT, EXIT_CASES } from './cases/exit-cases.ts';
import { decideExit } from './decide-exit.ts';
import { EXIT_POLICY } from './policies/exit-policy.ts';

test.each(EXIT_CASES)('$when', ({ view, policy, step }) => {
  expect(decideExit(view, { ...EXIT_POLICY, ...policy }, ENDED_AT)).toMatchObject(step);
});

test.each([
  [[5], 0, 5],
  [[5], 1, 5],
  [[5, 20], 1, 20],
  [[5, 20], 3, 20],
])('waits of %j seconds after %i crashes: %i', (seconds, crash_count, expected) => {
  const policy = { ...EXIT_POLICY, maxCrashes: 9, backoffMs: seconds.map((each) => each * 1_000) };
  const worker = { status: 'working', crash_count, last_crash_unix: null };
  expect(decideExit(anExit({ worker }), policy, ENDED_AT)).toMatchObject({ kind: 'delay', until: ENDED_AT + expected * 1_000 });
});

test('chance adds its share to a wait, and no waits mean none', () => {
  const worker = { status: 'working', crash_count: 1, last_crash_unix: null };
  expect(decideExit(anExit({ worker, chance: 1 }), EXIT_POLICY, ENDED_AT)).toMatchObject({ until: ENDED_AT + 12_000 });
  expect(decideExit(anExit({ worker }), { ...EXIT_POLICY, backoffMs: [] }, ENDED_AT)).toMatchObject({ kind: 'relaunch' });
});

test.each([
  ['ends with status 0 right after its turn', { tookPrompt: true, status: 0 }, { kind: 'relaunch', countsAsCrash: false, goOn: false }],
  ['ends with status 0 before any prompt', { tookPrompt: false, status: 0 }, { countsAsCrash: true }],
  ['is interrupted right after it took a prompt', { tookPrompt: true, status: 130 }, { countsAsCrash: true }],
])('a program without patterns that %s', (_, { tookPrompt, status }, step) => {
  const view = anExit({ activity: { kind: 'exited', how: 'user', status, signal: null }, livedMs: 1_000, tookPrompt });
  expect(decideExit(view, { ...EXIT_POLICY, backoffMs: [] }, ENDED_AT)).toMatchObject(step);
});
