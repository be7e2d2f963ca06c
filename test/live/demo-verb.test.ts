import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trySignal } from '../../src/system/processes/signal.ts';
import { processesWith } from '../package/processes-with.ts';
import { scratchFolder } from '../repo/scratch.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';

const program = join(import.meta.dirname, '../../bin/llmc.cjs');

interface Performance {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** An action on the demo when it has printed a text. */
  readonly at?: { readonly text: string; readonly act: (child: ChildProcess) => void };
}

/** An empty home and an empty temporary folder, with a mark in the environment of every process started there. */
function emptyHome() {
  const scratch = scratchFolder();
  const [home, temporary] = [join(scratch.path, 'home'), join(scratch.path, 'tmp')];
  for (const folder of [home, temporary]) mkdirSync(folder);
  const mark = { LLMC_TEST_MARK: scratch.path };
  return {
    path: scratch.path,
    env: { HOME: home, TMPDIR: temporary, PATH: process.env.PATH ?? '', ...mark },
    left: () => ({
      home: readdirSync(home),
      temporary: readdirSync(temporary),
      processes: processesWith(`LLMC_TEST_MARK=${scratch.path}`),
    }),
    [Symbol.dispose]() {
      for (const line of processesWith(`LLMC_TEST_MARK=${scratch.path}`)) trySignal(Number.parseInt(line, 10), 'SIGKILL');
      scratch[Symbol.dispose]();
    },
  };
}

const NOTHING = { home: [], temporary: [], processes: [] };

async function perform({ args = [], env = {}, at }: Performance) {
  using empty = emptyHome();
  const child = spawn(process.execPath, [program, 'demo', ...args], {
    cwd: empty.env.HOME,
    env: { ...empty.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  let acted = false;
  const collect = (stream: 'out' | 'err') => (text: string) => {
    printed[stream] += text;
    if (acted || at === undefined || !printed[stream].includes(at.text)) return;
    acted = true;
    at.act(child);
  };
  child.stdout.setEncoding('utf8').on('data', collect('out'));
  child.stderr.setEncoding('utf8').on('data', collect('err'));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...printed, left: empty.left(), acted };
}

const send =
  (...signals: readonly NodeJS.Signals[]) =>
  (child: ChildProcess) => {
    for (const signal of signals) child.kill(signal);
  };

// Generous: each takes about ten seconds alone, but several run at once on a busy machine.
describe.concurrent('llmc demo', { timeout: 300_000 }, () => {
  test('shows the whole loop with commands a user would type, summarises it in one document, and leaves nothing behind', async () => {
    const { status, out, err, left } = await perform({ args: ['--json'] });
    expect(status, `${out}${err}`).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      seconds: expect.any(Number),
      workers: 3,
      // Three tasks, one feedback, and the prompt to continue after the crash.
      prompts: { sent: 5, acknowledged: 5 },
      sent_back: 1,
      agent_crashes: 1,
      landed: [{ subject: 'Greet several people at once' }, { subject: 'Explain how to use the greeter' }, { subject: 'Say goodbye' }],
    });
    const scenes = ['$ llmc init', '$ llmc add carl', '$ llmc up', '$ llmc start'];
    // On a slow machine adam is done before the demo asks for the status, which may then come after the end of carl.
    const meanwhile = [/adam +(?:working|has work to review)/, /carl: working → needs_review \(committed\)/].map((text) =>
      err.search(text),
    );
    const further = [
      '+for name in "$@"; do',
      '$ llmc reject',
      'rejected → needs_review (committed)',
      '$ llmc accept carl',
      'on main: Say goodbye',
      '$ git log',
      '$ llmc why',
    ];
    const places = [...scenes, ...further].map((text) => err.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const [started = 0, reviewed = 0] = places.slice(scenes.length - 1);
    expect(meanwhile.every((place) => started < place && place < reviewed)).toBe(true);
    expect(left).toEqual(NOTHING);
  });

  test('--workflow shows a run that survives kill -9 of its supervisor, counts what the agents did, and leaves nothing behind', async () => {
    const { status, out, err, left } = await perform({ args: ['--workflow', '--json'] });
    expect(status, `${out}${err}`).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      seconds: expect.any(Number),
      run: 'swarm-1',
      status: 'done',
      stages: 4,
      tasks: { researcher: 1, developer: 2, reviewer: 2 },
      review_rounds: 2,
      supervisor_kills: 1,
      landed: [{ subject: 'Greet several people at once' }],
    });
    const scenes = ['$ llmc run swarm', '✓ research', '$ kill -9 %1', 'round 2 of 3; approved', 'verdict: changes', '$ llmc review'];
    const places = [...scenes, '$ llmc accept', 'swarm-1 is done', '4 of 4 stages done'].map((text) => err.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(left).toEqual(NOTHING);
  });

  test('works inside tmux and inside a worker, at a terminal', async () => {
    using empty = emptyHome();
    await using tmux = await scratchTmux();
    const env = { ...empty.env, LLMC_WORKER: 'zed', LLMC_ROOT: join(empty.path, 'no such root') };
    const pane = await tmux.start({
      name: 'demo',
      argv: [process.execPath, program, 'demo'],
      cwd: empty.env.HOME,
      env,
      width: 150,
      height: 50,
    });
    expect(await pane.exit(200_000)).toEqual({ status: 0, signal: null });
    expect(await pane.history()).toContain('3 commits on main, one for each task:');
    expect(empty.left()).toEqual(NOTHING);
  });

  const signals = [
    ['SIGINT', 'Cloning'],
    ['SIGINT', '$ llmc up'],
    ['SIGINT', 'llmc is up'],
    ['SIGTERM', '$ llmc start'],
    ['SIGINT', 'assigned'],
    ['SIGHUP', '$ llmc review'],
    ['SIGINT', 'feedback queued'],
    ['SIGINT', 'Landing on main'],
    ['SIGINT', '$ kill -9 %1', '--workflow'],
  ] as const;
  // One of each signal in each run, and one point before and after the supervisor is up.
  const early = rowsOfThisRun(signals, ([signal, text, workflow]) => signal !== 'SIGINT' || text === 'Cloning' || workflow !== undefined);
  test.for(early)('%s at "%s" ends it and leaves nothing behind', async ([signal, text, ...args]) => {
    const { status, err, left, acted } = await perform({ args, at: { text, act: send(signal) } });
    expect(acted).toBe(true);
    expect(left).toEqual(NOTHING);
    expect({ status, err }).toEqual({
      status: { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal],
      err: `CANCELLED: the demo was interrupted; everything it created is removed\n→ ${['llmc demo', ...args].join(' ')}\n`,
    });
  });

  // Two names, because two signals of the same name may arrive as one.
  test.for(rowsOfThisRun(['$ llmc init', '$ llmc up', 'came_back', 'assigned', '$ llmc accept'], (text) => text === 'assigned'))(
    'a second Ctrl+C at "%s" ends it at once and leaves nothing behind',
    async (text) => {
      const { status, left, acted } = await perform({ at: { text, act: send('SIGINT', 'SIGTERM') } });
      expect(acted).toBe(true);
      expect(left).toEqual(NOTHING);
      expect([130, 143]).toContain(status);
    },
  );

  test('a reader that closes the pipe early, such as head, ends it and leaves nothing behind', async () => {
    const { status, err, left } = await perform({ at: { text: 'came_back', act: (child) => child.stdout?.destroy() } });
    expect(left).toEqual(NOTHING);
    expect({ status, err }).toEqual({ status: 0, err: '' });
  });

  test('a supervisor that dies ends it with the reason and leaves nothing behind', async () => {
    const { status, err, left } = await perform({ env: { LLMC_FAULT: 'accept:after-intent' } });
    expect(left).toEqual(NOTHING);
    expect(status).toBe(2);
    expect(err).toMatch(/^SUPERVISOR_FAILED: llmc accept: /);
  });

  test('reports a missing tmux before it begins', async () => {
    using bare = scratchFolder();
    const git = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'git'));
    const found = git.find((file) => existsSync(file)) ?? '';
    symlinkSync(found, join(bare.path, 'git'));
    const { status, out, err, left } = await perform({ env: { PATH: bare.path } });
    expect(left).toEqual(NOTHING);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/^TMUX_NOT_FOUND: /);
  });
});
