import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Command } from '../../base/command.ts';
import type { Finished } from '../../base/ports.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { systemSignals } from '../../system/processes/system-signals.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { PANE_FIELDS } from '../../terminal/tmux-commands.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { stopAll } from './stop.ts';

/** A tmux in which nothing runs, and the commands it received. */
function emptyTmux() {
  const commands: string[] = [];
  const run = async (command: Command): Promise<Finished> => {
    commands.push(command.args.join(' '));
    return { command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false };
  };
  return { commands, terminal: new Terminal('/nowhere/tmux.sock', { run }) };
}

test('a worker whose agent is missing from the configuration is stopped like the others', async () => {
  using scratch = scratchStore(aState(aWorker({ agent: 'removed' }), aWorker({ name: 'baker' })));
  const { commands, terminal } = emptyTmux();
  const store = scratch.open();
  const context = {
    layout: scratch.layout,
    store,
    terminal,
    clock: scratch.clock,
    config: async () => aConfig(),
    say: () => undefined,
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  expect(await stopAll(context, () => true)).toEqual(['adam', 'baker']);
  expect(Object.values(store.state.workers).map(({ status }) => status)).toEqual(['offline', 'offline']);
  expect(commands.at(-1)).toContain('kill-server');
});

test('a worker that is removed while the others are stopped does not keep them running', async () => {
  using scratch = scratchStore(aState(aWorker(), aWorker({ name: 'baker' })));
  const store = scratch.open();
  const run = async (command: Command): Promise<Finished> => {
    if (command.args.some((word) => word.includes('llmc-adam')) && 'adam' in store.state.workers)
      store.commit({
        worker: 'adam',
        kind: 'removed',
        summary: 'removed meanwhile',
        state: (draft) => {
          delete draft.workers.adam;
        },
      });
    return { command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false };
  };
  const context = {
    layout: scratch.layout,
    store,
    terminal: new Terminal('/nowhere/tmux.sock', { run }),
    clock: scratch.clock,
    config: async () => aConfig(),
    say: () => undefined,
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  expect(await stopAll(context, () => true)).toEqual(['baker']);
  expect(store.worker('baker').status).toBe('offline');
});

test('the tmux server ends also when nothing can be recorded', async () => {
  using scratch = scratchStore();
  const { commands, terminal } = emptyTmux();
  const store = scratch.open();
  store.database.close();
  const context = {
    layout: scratch.layout,
    store,
    terminal,
    clock: scratch.clock,
    config: async () => aConfig(),
    say: () => undefined,
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  await expect(stopAll(context, () => true)).rejects.toThrow();
  expect(commands.at(-1)).toContain('kill-server');
});

test('a forced stop works also while llmc waits for agents', async () => {
  using scratch = scratchStore();
  const fields: Readonly<Record<string, string>> = { session_name: 'llmc-adam', pane_id: '%1', pane_pid: '999999999', pane_dead: '0' };
  const living = PANE_FIELDS.map((field) => fields[field] ?? '').join('\t');
  const run = async (command: Command): Promise<Finished> => {
    const stdout = command.args.includes('list-panes') ? `${living}\n` : '';
    return { command, outcome: { kind: 'exited', status: 0 }, stdout, stderr: '', truncated: false };
  };
  let force = false;
  const clock = {
    ...scratch.clock,
    sleep: async () => {
      force = true;
    },
  };
  const terminal = new Terminal('/nowhere/tmux.sock', { run });
  const context = {
    layout: scratch.layout,
    store: scratch.open(),
    terminal,
    clock,
    config: async () => aConfig(),
    say: () => undefined,
    files: systemFiles,
    signals: systemSignals,
    listProcesses: async () => [],
  };
  expect(await stopAll(context, () => force)).toEqual(['adam']);
});
