import { expect, test } from 'vitest';
import { decideMemory, type MemoryView } from './decide-memory.ts';

const MB = 2 ** 20;
const NOW = 10_000_000;
const POLICY = { limitMb: 1_000, samples: 2, mostRestarts: 3, withinMs: 3_600_000 };
const OVER: MemoryView = { samples: [1_100 * MB, 1_200 * MB], restarts: [], interruptible: true };

test.each<[string, Partial<MemoryView>, string, RegExp | undefined]>([
  ['twice over it: started anew', {}, 'restart', /holds 1200 MB, and may hold 1000/],
  ['one peak is none', { samples: [900 * MB, 1_200 * MB] }, 'nothing', undefined],
  ['it has come down again', { samples: [1_100 * MB, 1_200 * MB, 900 * MB] }, 'nothing', undefined],
  ['a sample nobody got proves nothing', { samples: [1_200 * MB, null] }, 'nothing', undefined],
  ['too young for two samples', { samples: [1_200 * MB] }, 'nothing', undefined],
  ['exactly at it is not over it', { samples: [1_000 * MB, 1_000 * MB] }, 'nothing', undefined],
  ['a prompt is on its way', { interruptible: false }, 'wait', /is restarted when/],
  ['it grew back three times: a person is told', { restarts: [NOW - 3, NOW - 2, NOW - 1] }, 'tell', /after 3 restarts/],
  ['that was long ago', { restarts: [1, 2, NOW - 1] }, 'restart', undefined],
])('%s', (_, changes, kind, why) => {
  const step = decideMemory({ ...OVER, ...changes }, POLICY, NOW);
  expect(step.kind).toBe(kind);
  if (why !== undefined && step.kind !== 'nothing') expect(step.why).toMatch(why);
});

test('without a limit nobody is started anew', () => {
  expect(decideMemory(OVER, { ...POLICY, limitMb: 0 }, NOW)).toEqual({ kind: 'nothing' });
});
