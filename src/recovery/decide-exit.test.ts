import { expect, test } from 'vitest';
import { anExit, ENDED_AT, EXIT_CASES } from './cases/exit-cases.ts';
import { decideExit } from './decide-exit.ts';
import { EXIT_POLICY } from './exit-policy.ts';

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
