import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { systemPorts } from '../system/ports.ts';
import { openContext } from '../workers/context.ts';
import { noAgents } from '../workers/no-agents.ts';
import { aState } from '../workers/samples.ts';
import { Supervisor } from './loop.ts';

const HOUR_MS = 3_600_000;

/** The loop of a root without workers, on a clock on which each rest takes as long as the test says; it ends after the last one. */
async function resting(restsMs: readonly number[]) {
  using scratch = scratchStore(aState());
  const store = scratch.open();
  const over = new AbortController();
  let now = scratch.clock.now();
  let rests = 0;
  const clock = {
    now: () => now,
    sleep: async () => {
      const tookMs = restsMs[rests];
      rests += 1;
      if (tookMs === undefined) over.abort();
      now += tookMs ?? 0;
    },
  };
  const say = () => undefined;
  const context = openContext(store, { ...systemPorts, clock }, { supervised: true, say, signal: over.signal, agents: noAgents });
  let passes = 0;
  const countPass = () => {
    passes += 1;
  };
  await new Supervisor(context, new Map(), countPass).run(over.signal);
  const gaps = store.database.prepare("SELECT summary FROM history WHERE kind = 'observe'").all();
  return { passes, gaps: gaps.map(({ summary }) => summary) };
}

test('a laptop that was suspended for eight hours is noticed once, and costs one pass', async () => {
  const { passes, gaps } = await resting([2_000, 8 * HOUR_MS, 2_000]);
  expect(passes).toBe(4);
  expect(gaps).toEqual([expect.stringMatching(/suspended for 8h; observing before acting$/)]);
});

test('a machine under load, or a clock that is set back, is not taken for a suspended one', async () => {
  expect((await resting([2_000, 30_000, -HOUR_MS, 2_000])).gaps).toEqual([]);
});
