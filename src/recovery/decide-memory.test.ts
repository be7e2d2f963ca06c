import { expect, test } from 'vitest';
import { decideMemory, type MemoryView } from './decide-memory.ts';

const MB = 2 ** 20;
const NOW = 10_000_000;
const POLICY = { limitMb: 1_000, samples: 2, mostRestarts: 3, withinMs: 3_600_000 };
const OVER: MemoryView = { samples: [1_100 * MB, 1_200 * MB], restarts: [], interruptible: true };

test.each<[string, Partial<MemoryView>, string, RegExp | undefined]>([
  ['twice over the limit: restarted', {}, 'restart', /uses 1200 MB, and the limit is 1000/],
  ['a single spike is ignored', { samples: [900 * MB, 1_200 * MB] }, 'nothing', undefined],
  ['the memory has dropped again', { samples: [1_100 * MB, 1_200 * MB, 900 * MB] }, 'nothing', undefined],
  ['only the latest samples count', { samples: [900 * MB, 1_100 * MB, 1_200 * MB] }, 'restart', /uses 1200 MB/],
  ['a missing sample proves nothing', { samples: [1_200 * MB, null] }, 'nothing', undefined],
  ['too young for two samples', { samples: [1_200 * MB] }, 'nothing', undefined],
  ['exactly at the limit is not over it', { samples: [1_000 * MB, 1_000 * MB] }, 'nothing', undefined],
  ['a prompt is on its way', { interruptible: false }, 'wait', /restarts it when/],
  ['it grew back three times: reported to a person', { restarts: [NOW - 3, NOW - 2, NOW - 1] }, 'report', /after 3 restarts/],
  ['its first restart is an hour ago', { restarts: [NOW - 3_600_000, NOW - 2, NOW - 1] }, 'restart', undefined],
  ['it grew back long ago', { restarts: [1, 2, NOW - 1] }, 'restart', undefined],
])('%s', (_, changes, kind, why) => {
  const step = decideMemory({ ...OVER, ...changes }, POLICY, NOW);
  expect(step.kind).toBe(kind);
  if (why !== undefined && step.kind !== 'nothing') expect(step.why).toMatch(why);
});

test('without a limit no agent is restarted', () => {
  expect(decideMemory(OVER, { ...POLICY, limitMb: 0 }, NOW)).toEqual({ kind: 'nothing' });
});
