import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import type { Finished } from '../base/ports.ts';
import { systemPorts } from '../system/ports.ts';
import { openContext } from '../workers/context.ts';
import { noAgents } from '../workers/no-agents.ts';
import { aState, aWorker } from '../workers/samples.ts';
import { Supervisor } from './loop.ts';
import { aWatch } from './samples.ts';

const HOUR_MS = 3_600_000;

/**
 * The loop of a root without workers, on a clock on which each rest takes as long as the test says; it ends after the last one.
 * `questionMs`: there is a worker, and its tmux takes this long to answer that it does not run. `unwatched`: there is a worker that is
 * still to be brought up, which fails without config.toml.
 */
async function resting(restsMs: readonly number[], { questionMs, unwatched = false }: { questionMs?: number; unwatched?: boolean } = {}) {
  using scratch = scratchStore(questionMs === undefined && !unwatched ? aState() : aState(aWorker({ status: 'working' })));
  const store = scratch.open();
  const over = new AbortController();
  let now = scratch.clock.now();
  let rests = 0;
  const clock = {
    now: () => now,
    sleep: async () => {
      // Until the attempt to bring the worker up has failed.
      while (unwatched && supervisor.watchOf('adam') !== undefined) await new Promise((resolve) => setImmediate(resolve));
      const tookMs = restsMs[rests];
      rests += 1;
      if (tookMs === undefined) over.abort();
      now += tookMs ?? 0;
    },
  };
  const say = () => undefined;
  const run = async (command: Finished['command']): Promise<Finished> => {
    now += questionMs ?? 0;
    return { command, outcome: { kind: 'exited', status: 1 }, stdout: '', stderr: 'no server running on tmux.sock', truncated: false };
  };
  // An attempt to bring a worker up begins with the folder of its reports.
  let attempts = 0;
  const makeFolder = () => {
    attempts += 1;
  };
  const context = openContext(
    store,
    { ...systemPorts, clock, processes: { run }, files: { ...systemPorts.files, makeFolder } },
    { supervised: true, say, signal: over.signal, agents: noAgents },
  );
  let passes = 0;
  const countPass = () => {
    passes += 1;
  };
  const watches = new Map(questionMs === undefined ? [] : [['adam', aWatch({ now })]]);
  const supervisor = new Supervisor(context, watches, countPass);
  await supervisor.run(over.signal);
  const recorded = (kind: string) =>
    store.database
      .prepare('SELECT summary FROM history WHERE kind = ?')
      .all(kind)
      .map(({ summary }) => summary);
  const steps = watches.get('adam')?.assessment.rule;
  return { passes, attempts, gaps: recorded('observe'), troubles: recorded('trouble'), steps };
}

test('a laptop that was suspended for eight hours is noticed once, and costs one pass', async () => {
  const { passes, gaps } = await resting([2_000, 8 * HOUR_MS, 2_000]);
  expect(passes).toBe(4);
  expect(gaps).toEqual([expect.stringMatching(/suspended for 8h; observing before acting$/)]);
});

test('a laptop that was suspended while tmux was asked is noticed too: the pass observes only', async () => {
  const { gaps, steps } = await resting([], { questionMs: 8 * HOUR_MS });
  expect(gaps).toEqual([expect.stringMatching(/suspended for \d+h; observing before acting$/)]);
  expect(steps).toBe('not observed yet');
});

test('a machine under load, or a clock that is set back, is not taken for a suspended one', async () => {
  expect((await resting([2_000, 30_000, -HOUR_MS, 2_000])).gaps).toEqual([]);
});

test('a worker that could not be brought up is tried again soon after the clock was set back', async () => {
  const passes = [1, 1, 1];
  expect((await resting(passes, { unwatched: true })).attempts).toBe(1);
  expect((await resting([...passes, -HOUR_MS, ...passes], { unwatched: true })).attempts).toBe(2);
});

test('a failure of every pass is recorded once, although passes with nothing to observe come between', async () => {
  const { troubles } = await resting([1, 500, 1, 500, 1, 500, 1], { questionMs: 1 });
  expect(troubles).toEqual([expect.stringMatching(/config\.toml is missing/)]);
});
