import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scratchTmux, until } from '../../test/support/scratch-tmux.ts';
import { agentsSince, noteAgents } from '../system/processes/agents-since.ts';
import { readKin } from '../system/processes/lineage.ts';
import { type AgentsSince, readGroups } from '../system/processes/origin.ts';
import { trySignal } from '../system/processes/signal.ts';
import { identifyCaller } from './person.ts';

let folder: string;
let started: number[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'llmc-person-'));
  started = [];
});
afterEach(() => {
  for (const pid of started) trySignal(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

const place = () => ({ root: join(folder, 'root'), run: join(folder, 'root/run'), tmuxSocket: join(folder, 'root/run/tmux.sock') });
/** Agents that began just now: every process of the test after this one may be theirs. */
const now = (): AgentsSince => ({ ticks: (readKin(process.pid)?.started ?? 0) + 1, groups: readGroups(process.pid) });
const ask = (pid: number, scripts: readonly string[] = [], since = now()) =>
  identifyCaller(pid, place(), since, async () => ({ scripts, writable: [join(folder, 'shared')] }));

/** A line that notes its own process, and stays. */
const NOTED = 'echo $$ > "$NOTE"; exec sleep 600';

/** Runs a shell line that leaves a process, which notes its number. */
async function left(line: string, env: Readonly<Record<string, string>> = {}): Promise<number> {
  const note = join(folder, `note-${started.length}`);
  const child = spawn('sh', ['-c', line], { stdio: 'ignore', detached: true, env: { ...process.env, NOTE: note, NOTED, ...env } });
  started.push(-(child.pid ?? 0));
  await until('the process to be there', async () => existsSync(note) && readFileSync(note, 'utf8').endsWith('\n'));
  const pid = Number(readFileSync(note, 'utf8'));
  started.push(pid);
  return pid;
}

describe('a person', () => {
  test('is shown by a terminal that an older program made', async () => {
    await using tmux = await scratchTmux();
    const { pid } = await tmux.start({ name: 'shell', argv: ['sh', '-c', 'sleep 600; true'], cwd: folder });
    expect(await ask(pid)).toEqual({ kind: 'person', by: 'terminal' });
    // Also in a terminal inside of that terminal.
    const inner = await left(`script -qc "$NOTED" /dev/null > /dev/null`);
    expect(readKin(inner)?.terminal).not.toBe(0);
    expect(await ask(inner)).toEqual({ kind: 'person', by: 'terminal' });
  });

  test('is shown by a terminal of a tmux server that is attached to a terminal of theirs', async () => {
    const socket = join(folder, 'own.sock');
    await left(`tmux -S ${socket} -f /dev/null new-session -d "$NOTED"`);
    const inside = started.at(-1) ?? 0;
    // A detached server has no parent, as one that an agent started.
    expect(await ask(inside)).toMatchObject({ kind: 'unshown', lacks: { kind: 'origin', name: 'tmux: server' } });
    await left(`script -qc "tmux -S ${socket} attach" /dev/null > /dev/null & echo $$ > "$NOTE"; wait`, { TERM: 'xterm' });
    await until('the client to be attached', async () => (await ask(inside)).kind === 'person');
    spawn('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
  });

  test('is shown by a script that is named, also without a terminal', async () => {
    const script = join(folder, 'ci.sh');
    writeFileSync(script, `#!/bin/sh\nsh -c "$NOTED"\ntrue\n`, { mode: 0o755 });
    const pid = await left(script);
    expect(await ask(pid)).toEqual({ kind: 'unshown', lacks: { kind: 'no_terminal' } });
    expect(await ask(pid, [script])).toEqual({ kind: 'person', by: 'script' });
    expect(await ask(pid, [join(folder, 'other.sh')])).toMatchObject({ kind: 'unshown' });
    // A script that others can write shows nothing, nor does an interpreter, which every script runs in.
    chmodSync(script, 0o777);
    expect(await ask(pid, [script])).toMatchObject({ lacks: { kind: 'unsafe_script', problem: expect.stringContaining('other users') } });
    expect(await ask(pid, ['/bin/sh'])).toMatchObject({ lacks: { kind: 'unsafe_script', problem: expect.stringContaining('any script') } });
  });
});

describe('nothing shows a person', () => {
  test('for a script that is named and in a folder of agents', async () => {
    mkdirSync(join(folder, 'shared'));
    const script = join(folder, 'shared', 'ci.sh');
    writeFileSync(script, `#!/bin/sh\nsh -c "$NOTED"\ntrue\n`, { mode: 0o755 });
    expect(await ask(await left(script), [script])).toMatchObject({ lacks: { kind: 'unsafe_script' } });
  });

  test.each([
    ['a background process', 'setsid -f sh -c "$NOTED"'],
    ['a daemon without any environment', 'setsid -f env -i NOTE="$NOTE" sh -c "$NOTED"'],
    ['an orphan of a shell that has ended', 'sh -c "$NOTED" &'],
  ])('for %s, which has no terminal', async (_, line) => {
    expect(await ask(await left(line))).toEqual({ kind: 'unshown', lacks: { kind: 'no_terminal' } });
  });

  test.each([
    ['script', `setsid -f env -i NOTE="$NOTE" script -qc "$NOTED" /dev/null`],
    ['tmux', `setsid -f env -i NOTE="$NOTE" tmux -S "$NOTE.sock" -f /dev/null new-session -d "$NOTED"`],
    [
      'a terminal inside a terminal',
      `setsid -f env -i NOTE="$NOTE" script -qc 'script -qc "echo \\$\\$ > $NOTE; exec sleep 600" /dev/null' /dev/null`,
    ],
  ])('for a terminal that a daemon made with %s', async (_, line) => {
    const pid = await left(line);
    expect(readKin(pid)?.terminal).not.toBe(0);
    expect(await ask(pid)).toMatchObject({ kind: 'unshown', lacks: { kind: 'origin' } });
  });

  test('for a daemon that claims to run the named script', async () => {
    const script = join(folder, 'ci.sh');
    writeFileSync(script, '#!/bin/sh\ntrue\n', { mode: 0o755 });
    // The words of a command line are what the process says about itself.
    const pid = await left(
      `setsid -f env -i NOTE="$NOTE" bash -c 'exec -a sh sh ${script}.fake ' ${script}; setsid -f env -i NOTE="$NOTE" sh -c "$NOTED"`,
    );
    expect(await ask(pid, [script])).toMatchObject({ kind: 'unshown' });
    const run = await left(
      `setsid -f env -i NOTE="$NOTE" NOTED="$NOTED" ${script.replace('ci.sh', 'run.sh')}`.replace(
        /^/,
        `printf '#!/bin/sh\\nsh -c "$NOTED"\\ntrue\\n' > ${join(folder, 'run.sh')}; chmod 755 ${join(folder, 'run.sh')}; `,
      ),
    );
    expect(await ask(run, [join(folder, 'run.sh')]), 'the script itself, started by nobody who can be told').toMatchObject({
      lacks: { kind: 'origin' },
    });
  });

  test('for a terminal below an agent or a line of another root', async () => {
    const pid = await left('script -qc "$NOTED" /dev/null > /dev/null', { LLMC_LINE: '/other/run/x' });
    expect(await ask(pid)).toMatchObject({ kind: 'unshown' });
  });

  test('for a process that is not there', async () => {
    expect(await ask(2 ** 22 + 1)).toEqual({ kind: 'unshown', lacks: { kind: 'unreadable' } });
  });
});

test('a line of this root is inside it', async () => {
  const pid = await left('script -qc "$NOTED" /dev/null > /dev/null', { LLMC_LINE: `${place().run}/x` });
  expect(await ask(pid)).toEqual({ kind: 'inside', worker: undefined });
});

test('the note about the first agents keeps the earliest time, forgets one from before the machine started, and trusts no garbage', () => {
  const file = join(folder, 'since.json');
  expect(agentsSince(file).ticks).toBe(Number.POSITIVE_INFINITY);
  noteAgents(file);
  const since = agentsSince(file);
  expect(since).toEqual({ ticks: readKin(process.pid)?.started, groups: readGroups(process.pid) });
  const noted = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...noted, ticks: 7 }));
  noteAgents(file);
  expect(agentsSince(file).ticks).toBe(7);
  writeFileSync(file, JSON.stringify({ ...noted, boot: 'another', ticks: 7 }));
  expect(agentsSince(file).ticks).toBe(Number.POSITIVE_INFINITY);
  for (const garbage of ['', '{', '[]', 'null', '{"boot":1}']) {
    writeFileSync(file, garbage);
    expect(agentsSince(file)).toEqual({ ticks: 0, groups: [] });
  }
});
