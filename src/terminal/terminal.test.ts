import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command } from '../base/command.ts';
import type { Finished, Processes, ProcessOutcome, StartLineProcess } from '../base/ports.ts';
import { systemClock } from '../system/clock.ts';
import { systemProcesses } from '../system/processes/processes.ts';
import { trySignal } from '../system/processes/signal.ts';
import { ControlClient } from './control-client.ts';
import { Terminal } from './terminal.ts';
import { tmux } from './tmux-commands.ts';

const SIZE = { width: 80, height: 24 };
/** For what a program draws, on a machine that may be busy. */
const PATIENCE_MS = 60_000;

describe('a tmux server of its own', () => {
  let folder: string;
  let terminal: Terminal;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'llmc-terminal-'));
    terminal = new Terminal(join(folder, 'tmux.sock'), systemProcesses);
  });
  afterEach(async () => {
    await terminal.shutDown();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });

  const show = (name: string, text: string) =>
    terminal.open({ name, cwd: folder, size: SIZE, argv: ['sh', '-c', `printf '%s' '${text}'; cat`] });
  const shown = async (session: string) => (await terminal.capture([session])).get(session)?.lines.join('\n').trimEnd();

  test('sessions opened in parallel share one server, and the sentinel is not listed as a pane', async () => {
    const names = ['llmc-a', 'llmc-b', 'llmc-c', 'llmc-d'];
    await Promise.all(names.map((name) => show(name, name)));
    const panes = (await terminal.panes()) ?? [];
    expect(panes.map(({ session }) => session).toSorted()).toEqual(names);
    expect(panes.map(({ dead, width, height }) => ({ dead, width, height }))).toEqual(names.map(() => ({ dead: false, ...SIZE })));
  });

  test('a program gets its words and its directory as they are', async () => {
    const cwd = join(folder, 'c#Shop #{pid} ünï');
    await mkdir(cwd);
    const words = ['Be brief;', ';', 'a;b', '\\;', '#{pane_id}', '', '$HOME', "it's", 'two\nlines', '日本語'];
    const argv = ['sh', '-c', 'printf "%s\\0" "$PWD" "$@" > "$0.part" && mv "$0.part" "$0"; cat', join(folder, 'seen'), ...words];
    await terminal.open({ name: 'llmc-words', cwd, size: SIZE, argv });
    const seen = await vi.waitFor(() => readFile(join(folder, 'seen'), 'utf8'), PATIENCE_MS);
    expect(seen.split('\0')).toEqual([cwd, ...words, '']);
  });

  test('tmux writes to the file when a program has ended, with any path; if it cannot, no client sees an error', async () => {
    const place = join(folder, `dea#{pid}ths $HOME "it's";`);
    await mkdir(place);
    const deaths = join(place, 'last');
    const telling = new Terminal(join(folder, 'tmux.sock'), systemProcesses, { deaths });
    await telling.open({ name: 'llmc-stays', cwd: folder, size: SIZE, argv: ['cat'] });
    await telling.open({ name: 'llmc-ends', cwd: folder, size: SIZE, argv: ['true'] });
    // tmux 3.3a may learn of an exit only when another child ends; every listing of a dead pane starts such a child.
    await vi.waitFor(async () => {
      await telling.panes();
      await readFile(deaths);
    }, PATIENCE_MS);
    expect((await stat(deaths)).mode & 0o077).toBe(0);

    await rm(place, { recursive: true });
    const modes = async () => (await terminal.panes())?.map(({ session, dead, inMode }) => ({ session, dead, inMode }));
    await telling.open({ name: 'llmc-ends-too', cwd: folder, size: SIZE, argv: ['true'] });
    await vi.waitFor(
      async () => expect(await modes()).toContainEqual({ session: 'llmc-ends-too', dead: true, inMode: false }),
      PATIENCE_MS,
    );
    expect(await modes()).toContainEqual({ session: 'llmc-stays', dead: false, inMode: false });
  });

  test('a pane gets its size back, and the next attached client sets its own size', async () => {
    await show('llmc-a', 'this is a');
    const sizeOf = async () => (await terminal.panes())?.map(({ id, width, height }) => ({ id, width, height }))[0];
    const { id = '' } = (await sizeOf()) ?? {};
    await terminal.resize(id, { width: 132, height: 43 });
    expect(await sizeOf()).toEqual({ id, width: 132, height: 43 });
    const socket = join(folder, 'tmux.sock');
    const asked = await systemProcesses.run({
      file: 'tmux',
      args: ['-S', socket, 'show-options', '-w', '-A', '-v', '-t', id, 'window-size'],
    });
    expect(asked.stdout.trim()).toBe('latest');
  });

  test('one call captures all screens, also when a session is gone', async () => {
    await show('llmc-a', 'this is a');
    await show('llmc-b', 'this is b');
    await vi.waitFor(async () => expect([await shown('llmc-a'), await shown('llmc-b')]).toEqual(['this is a', 'this is b']), PATIENCE_MS);
    const screens = await terminal.capture(['llmc-gone', 'llmc-a', 'llmc-missing', 'llmc-b', 'llmc-last']);
    expect([...screens.keys()]).toEqual(['llmc-a', 'llmc-b']);
    expect(screens.get('llmc-b')?.lines[0]).toBe('this is b');
    expect(await terminal.capture([])).toEqual(new Map());
  });

  test('one call lists the panes and captures screens, also when a session is gone; an unchanged screen is the same object', async () => {
    expect(await terminal.capturePanes(['llmc-a'])).toEqual({ panes: [], screens: new Map() });
    await show('llmc-a', 'this is a');
    await show('llmc-b', 'this is b');
    await vi.waitFor(async () => expect([await shown('llmc-a'), await shown('llmc-b')]).toEqual(['this is a', 'this is b']), PATIENCE_MS);
    const { panes, screens } = await terminal.capturePanes(['llmc-a', 'llmc-gone', 'llmc-b']);
    expect(panes?.map(({ session }) => session)).toEqual(['llmc-a', 'llmc-b']);
    expect(panes?.every(({ wroteAt }) => Math.abs(wroteAt - Date.now() / 1_000) < 60)).toBe(true);
    expect([...screens.keys()]).toEqual(['llmc-a']);
    const again = await terminal.capturePanes(['llmc-b', 'llmc-a']);
    expect(again.screens.get('llmc-a')).toBe(screens.get('llmc-a'));
    expect(again.screens.get('llmc-b')?.lines[0]).toBe('this is b');
  });

  test.each<[string, StartLineProcess]>([
    ['is killed again and again', (_command, _onLine, onEnd) => ({ send: () => queueMicrotask(onEnd), stop: onEnd })],
    [
      'talks garbage, and ends in the middle of an answer',
      (_command, onLine, onEnd) => ({
        send: () => {
          for (const line of ['%%%', '%end 1 1 1', '\u0000', '%begin 1 2 1', 'llmc-a\t%1']) onLine(line);
          queueMicrotask(onEnd);
        },
        stop: onEnd,
      }),
    ],
  ])('if a control client %s, a process captures instead', async (_, start) => {
    await show('llmc-a', 'this is a');
    await vi.waitFor(async () => expect(await shown('llmc-a')).toBe('this is a'), PATIENCE_MS);
    const socket = join(folder, 'tmux.sock');
    const seeing = new Terminal(socket, systemProcesses, { control: new ControlClient(socket, start, systemClock) });
    const { panes, screens } = await seeing.capturePanes(['llmc-a']);
    expect(panes?.map(({ session, dead }) => ({ session, dead }))).toEqual([{ session: 'llmc-a', dead: false }]);
    expect(screens.get('llmc-a')?.lines[0]).toBe('this is a');
  });

  test('close keeps a session whose name has the same beginning', async () => {
    await show('llmc-e', 'e');
    await show('llmc-e2', 'e2');
    await terminal.close('llmc-e');
    await terminal.close('llmc-e');
    expect((await terminal.panes())?.map(({ session }) => session)).toEqual(['llmc-e2']);
  });

  test('close ends the program of a session, also one that ignores SIGHUP', async () => {
    const argv = ['node', '-e', "process.on('SIGHUP', () => {}); console.log('here'); setInterval(() => {}, 1_000)"];
    await terminal.open({ name: 'llmc-deaf', cwd: folder, size: SIZE, argv });
    await show('llmc-b', 'b');
    await vi.waitFor(async () => expect(await shown('llmc-deaf')).toContain('here'), PATIENCE_MS);
    const pids = ((await terminal.panes()) ?? []).map(({ pid }) => pid);
    expect(pids.map((pid) => trySignal(pid, 0))).toEqual([true, true]);
    await Promise.all([terminal.close('llmc-deaf'), terminal.close('llmc-b')]);
    expect(pids.map((pid) => trySignal(pid, 0))).toEqual([false, false]);
  });

  test('a program that ended is a dead pane with its last frame', async () => {
    await terminal.open({ name: 'llmc-x', cwd: folder, size: SIZE, argv: ['sh', '-c', 'echo; echo last words; read -r _; exit 7'] });
    // What is written in the moment of the end may be lost with it.
    await vi.waitFor(async () => expect(await shown('llmc-x')).toContain('last words'), PATIENCE_MS);
    await terminal.keys('llmc-x', ['Enter']);
    await vi.waitFor(
      async () => expect(await terminal.panes()).toMatchObject([{ dead: true, deadStatus: 7, deadSignal: null }]),
      PATIENCE_MS,
    );
    expect(await shown('llmc-x')).toContain('last words');
  });

  test('keys and pastes arrive only in their own session', async () => {
    await show('llmc-a', '');
    await show('llmc-b', '');
    await Promise.all([terminal.paste('llmc-a', 'for a'), terminal.paste('llmc-b', 'for b;')]);
    await terminal.keys('llmc-b', [';']);
    await vi.waitFor(async () => expect([await shown('llmc-a'), await shown('llmc-b')]).toEqual(['for a', 'for b;;']), PATIENCE_MS);
  });

  test('a paste for a program that has ended goes nowhere, and the server with all others stays up', async () => {
    await show('llmc-a', 'still here');
    await terminal.open({ name: 'llmc-x', cwd: folder, size: SIZE, argv: ['true'] });
    const ended = async () => (await terminal.panes())?.some(({ session, dead }) => session === 'llmc-x' && dead);
    await vi.waitFor(async () => expect(await ended()).toBe(true), PATIENCE_MS);
    await terminal.paste('llmc-x', 'too late');
    await terminal.keys('llmc-x', ['Enter']);
    expect(await shown('llmc-x')).not.toContain('too late');
    await vi.waitFor(async () => expect(await shown('llmc-a')).toBe('still here'), PATIENCE_MS);
    expect((await systemProcesses.run(tmux(join(folder, 'tmux.sock'), 'list-buffers'))).stdout).toBe('');
    await expect(terminal.paste('llmc-gone', 'to nobody')).rejects.toThrow(/cannot paste into llmc-gone: can't find/);
  });

  test('keys, pastes and captures belong to the agent’s pane, whatever a person split or opened in front of it', async () => {
    await show('llmc-a', 'agent');
    await vi.waitFor(async () => expect(await shown('llmc-a')).toBe('agent'), PATIENCE_MS);
    const person = (...args: readonly string[]) => systemProcesses.run(tmux(join(folder, 'tmux.sock'), ...args));
    await person('split-window', '-b', '-t', '=llmc-a:', 'cat');
    await person('new-window', '-t', '=llmc-a:', 'cat');
    expect((await terminal.panes())?.map(({ mark }) => mark).sort()).toEqual(['agent', 'other', 'other']);
    await terminal.paste('llmc-a', ' pasted');
    await terminal.keys('llmc-a', ['x']);
    await vi.waitFor(async () => expect(await shown('llmc-a')).toBe('agent pastedx'), PATIENCE_MS);
    expect((await terminal.capturePanes(['llmc-a'])).screens.get('llmc-a')?.lines[0]).toBe('agent pastedx');

    // The next session of the name has another pane.
    await terminal.close('llmc-a');
    await show('llmc-a', 'again');
    await vi.waitFor(async () => expect(await shown('llmc-a')).toBe('again'), PATIENCE_MS);
    await terminal.keys('llmc-a', ['y']);
    await vi.waitFor(async () => expect(await shown('llmc-a')).toBe('againy'), PATIENCE_MS);
  });

  test('without a server there are no panes', async () => {
    expect(await terminal.panes()).toEqual([]);
    expect(await terminal.isUp()).toBe(false);
    await show('llmc-a', 'a');
    expect(await terminal.isUp()).toBe(true);
    await terminal.shutDown();
    // While the server is on its way out it answers nothing at all.
    await vi.waitFor(async () => expect(await terminal.panes()).toEqual([]), PATIENCE_MS);
    expect(await terminal.capture(['llmc-a'])).toEqual(new Map());
  });
});

describe('a tmux that does not answer', () => {
  const answering = (outcome: ProcessOutcome, stderr = ''): Processes & { readonly asked: Command[] } => {
    const asked: Command[] = [];
    return {
      asked,
      async run(command): Promise<Finished> {
        asked.push(command);
        return { command, outcome, stdout: '', stderr, truncated: false };
      },
    };
  };
  const failed: ProcessOutcome = { kind: 'exited', status: 1 };

  test.each<[string, ProcessOutcome, string]>([
    ['takes too long', { kind: 'timeout' }, ''],
    ['is killed', { kind: 'signaled', signal: 'SIGKILL' }, ''],
    ['loses its server in the middle', failed, 'lost server'],
    ['may not open its socket', failed, 'error connecting to /x (Permission denied)'],
    ['is not there', { kind: 'not-started', reason: 'ENOENT', missing: true }, ''],
  ])('proves nothing about the agents when it %s', async (_, outcome, stderr) => {
    expect(await new Terminal('/s', answering(outcome, stderr)).panes()).toBeUndefined();
  });

  test.each([
    'no server running on /x',
    'error connecting to /x (No such file or directory)',
    'error connecting to /x (Connection refused)',
  ])('"%s" means that there are no panes', async (stderr) => {
    expect(await new Terminal('/s', answering(failed, stderr)).panes()).toEqual([]);
  });

  test('gets one request for screens, not an endless loop', async () => {
    const processes = answering({ kind: 'timeout' });
    expect(await new Terminal('/s', processes).capture(['a', 'b'])).toEqual(new Map());
    expect(processes.asked).toHaveLength(1);
  });

  test.each<[string, ProcessOutcome, string]>([
    ['TMUX_NOT_FOUND', { kind: 'not-started', reason: 'ENOENT', missing: true }, ''],
    ['TMUX_SESSION_FAILED', failed, 'duplicate session: llmc-a'],
    ['TMUX_SESSION_FAILED', { kind: 'timeout' }, ''],
  ])('makes typing fail with %s', async (code, outcome, stderr) => {
    await expect(new Terminal('/s', answering(outcome, stderr)).keys('llmc-a', ['Enter'])).rejects.toMatchObject({ code });
  });
});
