import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Command } from '../../base/command.ts';
import { KeyedLocks } from '../../base/keyed-locks.ts';
import type { Finished } from '../../base/ports.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { systemSignals } from '../../system/processes/system-signals.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { aTmuxWatch, aWatch } from '../samples.ts';
import { observe } from './observe.ts';
import { lastProgressAt } from './watch.ts';

const NO_PROCESSES = {
  run: async (command: Command): Promise<Finished> => ({
    command,
    stdout: '',
    stderr: '',
    truncated: false,
    outcome: { kind: 'not-started', reason: 'nothing runs here', missing: true },
  }),
};

/** A tmux that gives this answer to every question. */
function tmuxAnswering(stdout: string, stderr = ''): Terminal {
  const outcome = { kind: 'exited', status: stderr === '' ? 0 : 1 } as const;
  const run = async (command: Command): Promise<Finished> => ({ command, outcome, stdout, stderr, truncated: false });
  return new Terminal('/nowhere/tmux.sock', { run });
}

test('a worker whose agent is missing from the configuration is reported, and the others are observed', async () => {
  const names = ['adam', 'baker', 'carol'];
  using scratch = scratchStore(aState(...names.map((name) => aWorker({ name, agent: name === 'baker' ? 'removed' : 'demo' }))));
  const { clock } = scratch;
  const reported: string[] = [];
  const context = {
    store: scratch.open(),
    clock,
    terminal: tmuxAnswering(''),
    locks: new KeyedLocks(),
    processes: NO_PROCESSES,
    config: async () => aConfig(),
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  const watches = names.map((name) => aWatch({ name, now: clock.now() }));
  const observed = await observe(context, watches, new Set(watches), (name, error) => reported.push(`${name}: ${error}`));
  expect(observed.map(({ name }) => name)).toEqual(['adam', 'carol']);
  expect(reported).toEqual([expect.stringContaining('baker: LlmcError: There is no agent "removed"')]);
});

test('a process table that cannot be read changes nothing about the agents, and every worker is still observed', async () => {
  using scratch = scratchStore();
  const { clock } = scratch;
  let asked = 0;
  const context = {
    store: scratch.open(),
    clock,
    terminal: tmuxAnswering(''),
    locks: new KeyedLocks(),
    processes: NO_PROCESSES,
    config: async () => aConfig(),
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => {
      asked += 1;
      throw new Error('ps: not found');
    },
  };
  const watch = aWatch({ name: 'adam', now: clock.now() });
  const before = { ...watch.pulse, stopped: { pid: 7, since: 0 } };
  watch.pulse = before;
  expect(await observe(context, [watch], new Set([watch]), () => undefined)).toEqual([watch]);
  expect(asked).toBe(1);
  expect(watch.pulse.stopped).toEqual(before.stopped);
});

test.each([
  ['its process lives: its state is unknown', () => process.pid, 'unknown'],
  ['its process has ended: it is gone', endedPid, 'gone'],
  ['its process was never observed: it is gone', () => undefined, 'gone'],
])('tmux no longer shows a session, and %s', async (_, pid, pane) => {
  using scratch = scratchStore();
  const { clock } = scratch;
  const terminal = tmuxAnswering('', 'error connecting to /nowhere/tmux.sock (No such file or directory)');
  const context = {
    store: scratch.open(),
    clock,
    terminal,
    locks: new KeyedLocks(),
    processes: NO_PROCESSES,
    config: async () => aConfig(),
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  const watch = aWatch({ now: clock.now(), tmux: aTmuxWatch('unknown', { pid: pid() }) });
  await observe(context, [watch], new Set([watch]), () => undefined);
  expect(watch.tmux.pane).toBe(pane);
});

function endedPid(): number {
  return spawnSync('true').pid;
}

test('after the clock was set back by an hour, the silence of an agent counts from now on, and not in an hour', async () => {
  using scratch = scratchStore();
  const { clock } = scratch;
  const began = clock.now();
  const later = began + 3_600_000;
  const watch = aWatch({ name: 'adam', now: later });
  watch.tmux = { ...watch.tmux, at: later };
  watch.reported = { ...watch.reported, at: later };
  watch.work = { at: later };
  watch.wokeAt = later;
  watch.stuck = { since: later, rungs: 1, askedAt: later };
  const context = {
    store: scratch.open(),
    clock,
    terminal: tmuxAnswering(''),
    locks: new KeyedLocks(),
    processes: NO_PROCESSES,
    config: async () => aConfig(),
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  const observed = await observe(context, [watch], new Set([watch]), () => undefined);
  expect(observed).toEqual([watch]);
  expect(lastProgressAt(watch)).toBe(began);
  expect(watch.stuck).toEqual({ since: began, rungs: 1, askedAt: began });
});
