import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { trySignal } from '../../src/system/processes/signal.ts';
import { type Screen, screenFromText } from '../../src/terminal/screen.ts';

export interface PaneOptions {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the program, apart from TERM, LANG and PATH, which have defaults. */
  readonly env?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly height?: number;
}

export interface PaneExit {
  readonly status: number | null;
  /** `untold`: the program was killed, and a tmux before 3.3 does not tell by which signal. */
  readonly signal: number | null | 'untold';
}

export interface Pane {
  readonly name: string;
  readonly pid: number;
  screen(): Promise<Screen>;
  /** The screen with its scrollback. tmux scrolls a dead pane up by one line to report that it is dead. */
  history(): Promise<string>;
  /** Each call is one `send-keys`: text and Enter in one call may arrive as one read. */
  keys(...keys: string[]): Promise<void>;
  /** Types text unchanged, without bracketed paste. */
  type(text: string): Promise<void>;
  /** A bracketed paste from a separate buffer. */
  paste(text: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Captures the screen until `wanted` holds; the error after the deadline shows the last screen. */
  waitFor(what: string, wanted: (screen: Screen) => boolean, deadlineMs?: number): Promise<Screen>;
  exit(deadlineMs?: number): Promise<PaneExit>;
}

export interface ScratchTmux extends AsyncDisposable {
  readonly socket: string;
  /** A directory for the test, removed with the server. */
  readonly directory: string;
  tmux(args: readonly string[], stdin?: string): Promise<string>;
  start(options: PaneOptions): Promise<Pane>;
}

// Generous: a long limit costs nothing when the condition comes early, and the suite shares two cores with other programs.
const DEADLINE_MS = 60_000;
const POLL_MS = 20;
/** As a multiple of the time that a look takes: most looks start a process, and a process costs more than what a test waits for. */
const PAUSE_FACTOR = 8;
const LONGEST_PAUSE_MS = 500;

/** A separate tmux server for the test, without the user's sessions, configuration or environment. */
export async function scratchTmux(): Promise<ScratchTmux> {
  const directory = await mkdtemp(join(tmpdir(), 'llmc-tmux-'));
  const socket = join(directory, 'tmux.sock');
  const tmux: ScratchTmux['tmux'] = (args, stdin) => execute('tmux', ['-S', socket, '-f', '/dev/null', ...args], stdin);
  const programs: Program[] = [];
  // An interrupted test run does not reach the end of its blocks.
  const killNow = () => void spawnSync('tmux', ['-S', socket, 'kill-server']);
  process.once('exit', killNow);
  // Not a daemon: a person's terminal is a child of a program that is older than the agents.
  const server = spawn('tmux', ['-D', '-S', socket, '-f', '/dev/null'], { stdio: 'ignore' });
  await until('the server to listen', async () => existsSync(socket) || server.exitCode !== null);
  await tmux(['new-session', '-d', '-s', 'sentinel', 'cat']);
  await tmux(['set-option', '-g', 'remain-on-exit', 'on']);

  return {
    socket,
    directory,
    tmux,
    async start(options) {
      const { name, argv, cwd, env = {}, width = 80, height = 24 } = options;
      const all = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'screen-256color', ...env };
      const command = ['env', '-i', ...Object.entries(all).map(([key, value]) => `${key}=${value}`), ...argv];
      const size = ['-x', String(width), '-y', String(height)];
      const made = ['new-session', '-d', '-P', '-F', '#{pane_pid}', '-s', name, '-c', cwd, ...size, '--', ...command];
      // tmux 3.2a ignores the size of a detached session.
      const resized = [';', 'resize-window', '-t', `=${name}:`, ...size, ';', 'set-option', '-w', '-u', '-t', `=${name}:`, 'window-size'];
      const printed = await tmux([...made, ...resized]);
      const pid = Number(printed.trim());
      programs.push(programOf(pid));
      return createPane(tmux, name, pid);
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', killNow);
      await tmux(['kill-server']).catch(() => '');
      await until('the programs in tmux to end', async () => !programs.some(stillRuns), 2_000).catch(async () => {
        for (const { pid } of programs.filter(stillRuns)) trySignal(pid, 'SIGKILL');
        await until('the programs in tmux to die', async () => !programs.some(stillRuns));
      });
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

let buffers = 0;

function createPane(tmux: ScratchTmux['tmux'], name: string, pid: number): Pane {
  const target = `=${name}:`;
  const ask = async (format: string) => (await tmux(['display-message', '-p', '-t', target, format])).trim();
  const screen = async () => {
    const size = ['display-message', '-p', '-t', target, '#{pane_width} #{pane_height}'];
    const [first = '', ...lines] = (await tmux([...size, ';', 'capture-pane', '-p', '-t', target])).split('\n');
    const [width, height] = first.split(' ').map(Number);
    return screenFromText(lines.join('\n'), { width: width ?? 80, height: height ?? 24 });
  };
  return {
    name,
    pid,
    screen,
    history: () => tmux(['capture-pane', '-p', '-S', '-', '-t', target]),
    async keys(...keys) {
      // An argument that ends with a semicolon would end the command.
      await tmux(['send-keys', '-t', target, ...keys.map((key) => key.replace(/;$/, '\\;'))]);
    },
    async type(text) {
      await tmux(['send-keys', '-t', target, '-l', '--', text]);
    },
    async paste(text) {
      buffers += 1;
      const buffer = `scratch-${process.pid}-${buffers}`;
      await tmux(['load-buffer', '-b', buffer, '-'], text);
      await tmux(['paste-buffer', '-p', '-d', '-b', buffer, '-t', target]);
    },
    async resize(width, height) {
      await tmux(['resize-window', '-t', target, '-x', String(width), '-y', String(height)]);
    },
    async waitFor(what, wanted, deadlineMs = DEADLINE_MS) {
      let last = await screen();
      try {
        await until(
          what,
          async () => {
            last = await screen();
            return wanted(last);
          },
          deadlineMs,
        );
      } catch (cause) {
        throw new Error(`${what}: not within ${deadlineMs} ms; the screen shows\n${last.lines.join('\n')}`, { cause });
      }
      return last;
    },
    async exit(deadlineMs = DEADLINE_MS) {
      let status = '';
      let signal = '';
      const tellsSignals = !/^3\.2/.test(await ask('#{version}'));
      await until(
        'the program to end',
        async () => {
          const [dead, ...how] = (await ask('#{pane_dead}:#{pane_dead_status}:#{pane_dead_signal}')).split(':');
          [status = '', signal = ''] = how;
          // tmux 3.3a often notices that a Node process closes its terminal, but misses its end until another child ends.
          if (dead === '1' && status === '' && signal === '') await tmux(['run-shell', 'true']);
          // tmux may know the exit status before it has read the last output and written below it that the pane is dead.
          return dead === '1' && (status !== '' || signal !== '' || (!tellsSignals && !isAlive(pid)));
        },
        deadlineMs,
      );
      if (status === '' && signal === '') return { status: null, signal: 'untold' };
      return { status: status === '' ? null : Number(status), signal: signal === '' ? null : Number(signal) };
    },
  };
}

/** Polls until the condition holds; throws at the deadline. */
export async function until(what: string, holds: () => Promise<boolean>, deadlineMs = DEADLINE_MS): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const began = Date.now();
    if (await holds()) return;
    if (Date.now() > deadline) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(POLL_MS, PAUSE_FACTOR * (Date.now() - began))));
  }
}

export function isAlive(pid: number): boolean {
  return trySignal(pid, 0) && bornAt(pid) !== undefined;
}

/** Process ids are reused (32768 ids last minutes in a full run), so only the id and the start time together identify a process. */
interface Program {
  readonly pid: number;
  readonly born: string | undefined;
}

const programOf = (pid: number): Program => ({ pid, born: bornAt(pid) });
const stillRuns = ({ pid, born }: Program): boolean => born !== undefined && isAlive(pid) && bornAt(pid) === born;

/** Undefined for a process that has ended; without /proc, the same value for all. */
function bornAt(pid: number): string | undefined {
  if (!existsSync('/proc/self')) return '';
  try {
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // A process that ends after tmux stays a zombie where process 1 does not reap, as in many containers. A process with threads left
    // has not ended: they keep its sockets and locks open, for seconds on a busy machine.
    return state === 'Z' && readdirSync(`/proc/${pid}/task`).length <= 1 ? undefined : rest[18];
  } catch {
    return undefined;
  }
}

function execute(file: string, args: readonly string[], stdin?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(file, [...args], { maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${file} ${args.join(' ')}: ${stderr || error.message}`, { cause: error }));
      else resolve(stdout);
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin ?? '');
  });
}
