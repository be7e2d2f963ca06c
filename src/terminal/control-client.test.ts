import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LineProcess, StartLineProcess } from '../base/ports.ts';
import { systemClock } from '../system/clock.ts';
import { startLineProcess } from '../system/line-process.ts';
import { systemProcesses } from '../system/processes.ts';
import { ControlClient } from './control-client.ts';
import { Terminal } from './terminal.ts';
import { capturePane, LIST_PANES } from './tmux-commands.ts';

describe('a lasting client of a real tmux', () => {
  let folder: string;
  let control: ControlClient;
  let terminal: Terminal;
  let started: LineProcess[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'llmc-control-'));
    started = [];
    const start: StartLineProcess = (command, onLine, onEnd) => {
      const process = startLineProcess(command, onLine, onEnd);
      started.push(process);
      return process;
    };
    control = new ControlClient(join(folder, 'tmux.sock'), start, systemClock);
    terminal = new Terminal(join(folder, 'tmux.sock'), systemProcesses, control);
    const screen = ['sh', '-c', 'printf "%%end 1 2 3\\nit is here"; exec sleep 1000'];
    for (const name of ['llmc-a', 'llmc-b']) await terminal.open({ name, cwd: folder, size: { width: 80, height: 10 }, argv: screen });
  });

  afterEach(async () => {
    await terminal.shutDown();
    rmSync(folder, { recursive: true, force: true });
  });

  test('answers many questions in order, each on its own', async () => {
    const [panes, gone, screen] = await control.ask([LIST_PANES, capturePane('llmc-none'), capturePane('llmc-b')]);
    expect(panes?.lines).toHaveLength(3);
    expect(gone?.ok).toBe(false);
    expect(screen?.ok).toBe(true);
    expect(started).toHaveLength(1);
  });

  test('sees what a process of its own would see', async () => {
    const direct = new Terminal(join(folder, 'tmux.sock'), systemProcesses);
    await expect.poll(async () => (await direct.capture(['llmc-a'])).get('llmc-a')?.lines[1]).toBe('it is here');
    expect(await terminal.capture(['llmc-a', 'llmc-none', 'llmc-b'])).toEqual(await direct.capture(['llmc-a', 'llmc-none', 'llmc-b']));
    expect(await terminal.panes()).toEqual(await direct.panes());
  });

  test('is replaced after its death, and no question stays open', async () => {
    await control.ask([LIST_PANES]);
    started[0]?.stop();
    await expect.poll(async () => (await control.ask([LIST_PANES]))[0]?.ok).toBe(true);
    expect(started.length).toBeGreaterThan(1);
    expect((await terminal.panes())?.map(({ session }) => session)).toEqual(['llmc-a', 'llmc-b']);
  });

  test('leaves the verdict to a process of its own when the server is gone', async () => {
    await terminal.shutDown();
    expect(await control.ask([LIST_PANES])).toEqual([undefined]);
    expect(await terminal.panes()).toEqual([]);
  });
});

test('a question never starts a server, so it cannot disturb one that is being started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-control-'));
  const asked: string[] = [];
  const start: StartLineProcess = (command, onLine, onEnd) => {
    asked.push(...command.args);
    return startLineProcess(command, onLine, onEnd);
  };
  expect(await new ControlClient(join(folder, 'tmux.sock'), start, systemClock).ask([LIST_PANES])).toEqual([undefined]);
  expect(asked).toContain('-N');
  expect(existsSync(join(folder, 'tmux.sock'))).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

test('garbage in place of an answer is no answer, and a process is asked instead', async () => {
  const garbage: StartLineProcess = (_command, onLine, onEnd) => ({
    send: () => {
      onLine('%%% what?');
      onEnd();
    },
    stop: () => undefined,
  });
  const control = new ControlClient('/nowhere', garbage, systemClock);
  expect(await control.ask([LIST_PANES, LIST_PANES])).toEqual([undefined, undefined]);
});
