import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rowsOfThisRun } from '../support/full-run.ts';
import { snapshot } from '../support/snapshot.ts';
import { llmcWorld, type World } from '../support/world.ts';

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly code: string;
  /** 2 for everything but a fatal error. */
  readonly status?: number;
  readonly says?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const inside = { LLMC_WORKER: 'adam' };

const CASES: readonly Case[] = [
  { what: 'no command at all', args: [], code: 'INVALID_ARGUMENT', says: 'no command' },
  { what: 'an unknown command', args: ['frobnicate'], code: 'INVALID_ARGUMENT', says: 'frobnicate' },
  { what: 'help for an unknown command', args: ['help', 'frobnicate'], code: 'INVALID_ARGUMENT', says: 'frobnicate' },
  { what: 'help for a misspelt command', args: ['help', 'statsu'], code: 'INVALID_ARGUMENT', says: 'did you mean status?' },
  { what: 'an unknown option', args: ['status', '--frobnicate'], code: 'INVALID_ARGUMENT', says: '--frobnicate' },
  { what: 'an argument too few', args: ['wait'], code: 'INVALID_ARGUMENT', says: 'worker' },
  { what: 'an argument too many', args: ['add', 'carol', 'dora'], code: 'INVALID_ARGUMENT', says: 'dora' },
  { what: 'an option without its value', args: ['start', '--prompt'], code: 'INVALID_ARGUMENT', says: '--prompt' },
  { what: 'a value that is not a duration', args: ['wait', 'adam', '--timeout', 'soon'], code: 'INVALID_ARGUMENT', says: 'soon' },
  { what: 'a value that is not a status', args: ['wait', 'adam', '--for', 'happy'], code: 'INVALID_ARGUMENT', says: 'happy' },
  { what: 'an unknown way to show a diff', args: ['review', '--interface', 'paper'], code: 'INVALID_ARGUMENT', says: 'paper' },
  { what: '--help after an unknown command', args: ['nope', '--help'], code: 'INVALID_ARGUMENT', says: "unknown command 'nope'" },
  { what: 'a place without a remark', args: ['reject', '--at', 'a.txt'], code: 'INVALID_ARGUMENT', says: 'a.txt has no remark' },
  { what: 'an unknown shell', args: ['completion', 'tcsh'], code: 'INVALID_ARGUMENT', says: 'tcsh' },

  { what: 'a source that is not a repository', args: ['init', '--source', '.', '--target', 'new'], code: 'NOT_A_REPOSITORY' },
  { what: 'a source that does not exist', args: ['init', '--source', 'nowhere', '--target', 'new'], code: 'NOT_A_REPOSITORY' },
  { what: 'a root that exists', args: ['init', '--source', 'source'], code: 'ROOT_EXISTS', says: 'an llmc root already' },
  {
    what: 'a target with something in it',
    args: ['init', '--source', 'source', '--target', 'full'],
    code: 'ROOT_EXISTS',
    says: 'not empty',
  },
  { what: 'a target that is a file', args: ['init', '--source', 'source', '--target', 'full/file'], code: 'ROOT_EXISTS' },
  { what: 'a target inside the source', args: ['init', '--source', 'source', '--target', 'source/in'], code: 'INVALID_ARGUMENT' },
  {
    what: 'a branch that is not there',
    args: ['init', '--source', 'source', '--target', 'new', '--branch', 'x'],
    code: 'BRANCH_NOT_FOUND',
  },
  { what: 'an agent nobody knows', args: ['init', '--source', 'source', '--target', 'new', '--agent', 'eve'], code: 'AGENT_NOT_FOUND' },
  { what: 'a root that is none', args: ['status', '--root', 'full'], code: 'ROOT_NOT_FOUND', says: 'not an llmc root' },

  { what: 'a name that is taken', args: ['add', 'adam'], code: 'WORKER_EXISTS' },
  { what: 'a name that is a path', args: ['add', '../x'], code: 'INVALID_ARGUMENT', says: '../x' },
  { what: 'a name with a blank', args: ['add', 'a b'], code: 'INVALID_ARGUMENT', says: 'a b' },
  { what: 'a name of 100 characters', args: ['add', 'a'.repeat(100)], code: 'INVALID_ARGUMENT' },
  { what: 'a name with a capital', args: ['add', 'Adam'], code: 'INVALID_ARGUMENT', says: 'Adam' },
  { what: 'an empty name', args: ['add', ''], code: 'INVALID_ARGUMENT' },
  { what: 'a name llmc needs itself', args: ['add', 'sentinel'], code: 'INVALID_ARGUMENT', says: 'sentinel' },
  { what: 'a new worker with an agent nobody knows', args: ['add', 'carol', '--agent', 'eve'], code: 'AGENT_NOT_FOUND', says: 'eve' },

  { what: 'no idle worker', args: ['start', '--prompt', 'x'], code: 'NO_IDLE_WORKER', says: 'adam has work to review' },
  {
    what: 'a worker that is not idle',
    args: ['start', '--worker', 'adam', '--prompt', 'x'],
    code: 'WORKER_BUSY',
    says: 'adam is not idle: it has work to review',
  },
  { what: 'a start with nobody', args: ['start', '--worker', 'eve', '--prompt', 'x'], code: 'WORKER_NOT_FOUND', says: 'eve' },
  ...['message eve x', 'wait eve', 'review eve', 'accept eve', 'reject --worker eve x', 'nuke eve', 'reset eve', 'why eve', 'logs eve'].map(
    (line): Case => ({ what: `nobody to ${line.split(' ')[0]}`, args: line.split(' '), code: 'WORKER_NOT_FOUND', says: 'eve' }),
  ),
  { what: 'nothing to review', args: ['review', 'baker'], code: 'ILLEGAL_TRANSITION', says: 'baker is idle' },
  { what: 'nothing to accept', args: ['accept', 'baker'], code: 'ILLEGAL_TRANSITION', says: 'baker is idle' },
  { what: 'nothing to reject', args: ['reject', '--worker', 'baker', 'x'], code: 'ILLEGAL_TRANSITION', says: 'baker is idle' },
  { what: 'no worker named to remove', args: ['nuke'], code: 'INVALID_ARGUMENT', says: '--all' },

  { what: 'an empty model', args: ['start', '--model', '', '--prompt', 'x'], code: 'INVALID_ARGUMENT', says: '--model is empty' },
  {
    what: 'an empty agent',
    args: ['start', '--agent', '', '--queue', '--prompt', 'x'],
    code: 'INVALID_ARGUMENT',
    says: '--agent is empty',
  },
  { what: 'no prompt', args: ['start', '--worker', 'baker'], code: 'INVALID_ARGUMENT', says: 'no prompt' },
  { what: 'an empty prompt', args: ['start', '--worker', 'baker', '--prompt', ''], code: 'INVALID_ARGUMENT', says: 'empty' },
  { what: 'a prompt of blanks', args: ['start', '--worker', 'baker', '--prompt', ' \n\t'], code: 'INVALID_ARGUMENT', says: 'empty' },
  { what: 'nothing on standard input', args: ['start', '--worker', 'baker', '-'], code: 'INVALID_ARGUMENT', says: 'empty' },
  { what: 'two prompts', args: ['start', '--prompt', 'x', '--prompt-file', 'full/file'], code: 'INVALID_ARGUMENT', says: 'more than one' },
  { what: 'a prompt file that is not there', args: ['start', '--prompt-file', 'nowhere.md'], code: 'INVALID_ARGUMENT', says: 'nowhere.md' },
  { what: 'a prompt file that is a directory', args: ['start', '--prompt-file', 'full'], code: 'FILESYSTEM_ERROR', says: 'full' },
  {
    what: 'a prompt file that is not text',
    args: ['start', '--prompt-file', 'picture.png'],
    code: 'INVALID_ARGUMENT',
    says: 'not a text file',
  },
  { what: 'a prompt file with a NUL', args: ['start', '--prompt-file', 'nul.txt'], code: 'INVALID_ARGUMENT', says: 'not text' },
  { what: 'an empty message', args: ['message', 'baker', ''], code: 'INVALID_ARGUMENT', says: 'empty' },
  { what: 'empty feedback', args: ['reject', '--worker', 'adam', ''], code: 'INVALID_ARGUMENT', says: 'empty' },
  { what: 'no feedback', args: ['reject', '--worker', 'adam'], code: 'INVALID_ARGUMENT', says: 'no feedback' },
  { what: 'a remark without a place', args: ['reject', '--at', 'somewhere', 'x'], code: 'INVALID_ARGUMENT', says: 'somewhere' },
  { what: 'an empty commit message', args: ['accept', 'adam', '--message', ' '], code: 'INVALID_ARGUMENT', says: 'empty' },

  { what: 'accept inside a worker', args: ['accept', 'adam'], env: inside, code: 'INSIDE_WORKER', says: 'worker adam' },
  { what: 'reject inside a worker', args: ['reject', '--worker', 'adam', 'x'], env: inside, code: 'INSIDE_WORKER' },
  { what: 'nuke inside a worker', args: ['nuke', 'baker'], env: inside, code: 'INSIDE_WORKER' },
  { what: 'answer inside a worker', args: ['answer', 'adam', 'yes'], env: inside, code: 'INSIDE_WORKER' },
  { what: 'unpark inside a worker', args: ['unpark', 'demo'], env: inside, code: 'INSIDE_WORKER' },
  { what: 'run inside a worker', args: ['run', 'swarm', '--input', 'task=x'], env: inside, code: 'INSIDE_WORKER' },
  { what: 'reset inside a worker', args: ['reset', 'baker'], env: inside, code: 'INSIDE_WORKER' },

  {
    what: 'every worker removed without a terminal and without --yes',
    args: ['nuke', '--all'],
    code: 'INVALID_ARGUMENT',
    says: 'no terminal',
  },
  { what: 'a task twice', args: ['start', 'x', '--prompt', 'y'], code: 'INVALID_ARGUMENT', says: 'more than one' },
  { what: 'the name of a worker as a task', args: ['start', 'adam'], code: 'INVALID_ARGUMENT', says: '"adam" is a worker' },
  { what: 'a second up in the foreground', args: ['up'], code: 'SUPERVISOR_RUNNING', says: 'already: process ' },
];

describe('a clear error with a hint, and nothing changed', () => {
  let world: World;

  beforeAll(async () => {
    world = await llmcWorld({ workers: ['adam'] });
    await world.ok('add', 'baker', '--excluded');
    mkdirSync(join(world.dir, 'full'));
    writeFileSync(join(world.dir, 'full/file'), 'text\n');
    writeFileSync(join(world.dir, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xd8]));
    writeFileSync(join(world.dir, 'nul.txt'), 'before\0after');
    await world.ok('wait', 'baker', '--for', 'idle', '--timeout', '90s');
    await world.ok('start', '--prompt', 'Something to review', '--wait', '--timeout', '90s');
    await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  });

  afterAll(() => world[Symbol.asyncDispose]());

  // All commands look a worker up in the same way, and src/config/worker-name.test.ts has every name that is none.
  const inEachRun = rowsOfThisRun(CASES, ({ what }) => !/^nobody to (?!message|accept)|^(a name (with|of)|an empty name)/.test(what));
  test.for(inEachRun)('$what', async ({ args, code, status = 2, says = '', env = {} }) => {
    const before = snapshot(world.root, world.source, join(world.dir, 'full'), join(world.dir, 'new'));
    const error = await world.refused(args, { env });
    expect(error).toMatchObject({ status, code });
    expect(error.message).toContain(says);
    expect(snapshot(world.root, world.source, join(world.dir, 'full'), join(world.dir, 'new'))).toEqual(before);
  });

  test('for a person: the code, one sentence and what to type next, all on stderr', async () => {
    const { status, stdout, stderr } = await world.run(['add', 'adam']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe('WORKER_EXISTS: there is a worker named "adam" already\n→ llmc status, or remove it: llmc nuke adam\n');
  });

  test('a second up in the background reports the running supervisor, and succeeds', async () => {
    const { pid } = (await world.status()).supervisor;
    const { status, stdout } = await world.run(['up', '--detach']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^Already running for .*: process ${pid}, since \\d`)),
    });
    expect(await world.json(z.unknown(), 'up', '--detach')).toMatchObject({
      pid,
      already_running: true,
      workers: [{ worker: 'adam' }, { worker: 'baker' }],
    });
  });

  test.each([
    [['start', '--frobnicate'], '→ llmc start --help'],
    [['wait'], '→ llmc wait adam, or llmc wait --any'],
    [['start', '--wiat', 'x'], '→ llmc start --wait x'],
    [['start', 'Fix', 'the', 'typo', '--wait'], "→ llmc start 'Fix the typo' --wait"],
    [['start', 'adam', 'Fix', 'it'], "→ llmc start adam 'Fix it'"],
    [['add', 'carol', 'dora'], '→ llmc add --help'],
    [['list'], '→ llmc status'],
    [['remove', 'adam'], '→ llmc nuke adam'],
  ])('%s ends with the hint %s', async (args, hint) => {
    const { stderr } = await world.run(args);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(hint);
  });

  test('a second up in the foreground prints the error alone', async () => {
    const { stderr } = await world.run(['up']);
    expect(stderr).toMatch(/^SUPERVISOR_RUNNING: a supervisor is running for .* already: process \d+\n→ [^\n]*\n$/);
  });

  test('a wait that times out has its own exit status', async () => {
    expect(await world.refused(['wait', 'adam', '--for', 'idle', '--timeout', '10ms'])).toMatchObject({ status: 3, code: 'WAIT_TIMEOUT' });
  });

  test('an agent may decide when the configuration allows it', async () => {
    const { code } = await world.refused(['accept', 'baker'], { env: inside });
    expect(code).toBe('INSIDE_WORKER');
    world.set('defaults', 'allow_agents_to_decide = true');
    expect((await world.refused(['accept', 'baker'], { env: inside })).code).toBe('ILLEGAL_TRANSITION');
  });

  test('a command fails when its output cannot be written', async () => {
    const { stdout, stderr } = await world.shell('"$@" status --json > /dev/full; echo $?');
    expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: expect.stringContaining('could not be written') });
  });

  test.each([['help'], ['--help'], ['-h'], ['help', '--json'], ['--root', '/nowhere', '--help']])(
    '%s lists every command',
    async (...argv) => {
      const [all, printed] = [await world.ok('help'), await world.ok(...argv)];
      expect(printed).toBe(all);
      for (const group of ['Begin and end:', 'Review and land:', 'Workflows:', 'First steps:']) expect(printed).toContain(group);
    },
  );

  test('logs prints local time, and UTC with --json', async () => {
    const zone = { env: { TZ: 'Asia/Kathmandu' } };
    const { time } = JSON.parse((await world.run(['logs', 'adam', '--json'], zone)).stdout.split('\n')[0] ?? '');
    const minutes = new Date(Date.parse(time) + 345 * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    expect((await world.run(['logs', 'adam'], zone)).stdout.startsWith(minutes)).toBe(true);
  });

  test('a reader that closes the pipe early, such as head, causes no error message', async () => {
    const { stderr } = await world.shell('"$@" help | head -n 1');
    expect(stderr).toBe('');
  });
});
