import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commitsOf, deliveriesOf, historyOf, reaches } from '../support/agent-side.ts';
import { isFullRun, rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('../support/any-program.ts'));
const TASK = 'Write about the sea and the ships';

const [NODE, SCRIPT] = [process.execPath, PROGRAM].map((word) => JSON.stringify(word));

const reviewed = z.object({ answer: z.object({ text: z.string(), source: z.string(), task: z.number() }) });

interface Kind {
  readonly kind: string;
  /** Instead of node with the program. */
  readonly command?: string;
  /** The lines of its table besides the command. */
  readonly options?: readonly string[];
  readonly ack: 'screen' | 'unverified';
  readonly ended: RegExp;
  readonly attempts?: number;
  readonly inEachRun?: true;
}

/** Without the rows of the full run, each kind of evidence is still there once: silence, bell, end of the process, no echo, lost keys. */
const KINDS: readonly Kind[] = [
  { kind: 'line', ack: 'screen', ended: /quiet for 3 s/ },
  { kind: 'screen', ack: 'screen', ended: /quiet for 3 s/, inEachRun: true },
  { kind: 'bell', options: ['quiet_secs = 3600'], ack: 'screen', ended: /it rang the bell/, inEachRun: true },
  { kind: 'once', ack: 'screen', ended: /the turn ended with a commit$/, inEachRun: true },
  {
    kind: 'argument',
    options: [`args = ["-c", 'printf "> "; read -r prompt && exec "$0" "$@" "$prompt"', ${NODE}, ${SCRIPT}, "argument"]`],
    command: 'sh',
    ack: 'screen',
    ended: /the turn ended with a commit$/,
  },
  { kind: 'slow', ack: 'screen', ended: /quiet for 3 s/ },
  { kind: 'silent', ack: 'unverified', ended: /quiet for 3 s/, inEachRun: true },
  { kind: 'lossy', ack: 'screen', ended: /quiet for 3 s/, attempts: 2, inEachRun: true },
  { kind: 'paste', options: ['multiline = true'], ack: 'screen', ended: /quiet for 3 s/ },
  { kind: 'forever', ack: 'screen', ended: /it has committed/ },
];
const ROWS = rowsOfThisRun(KINDS, ({ inEachRun }) => inEachRun === true);
const OTHERS = isFullRun ? ['asks', 'crash'] : ['asks'];
/** They end in an answer. */
const SPEAKERS = [
  { kind: 'says', shown: 'The cache is cold.\nIt warms up after a minute.\nany>', sure: false },
  { kind: 'says-once', shown: 'The cache is cold.\nIt warms up after a minute.', sure: true },
];

function declared(kind: string, options: readonly string[] = [], program?: string): string {
  const command = program === undefined ? [`command = ${NODE}`, `args = [${SCRIPT}, "${kind}"]`] : [`command = "${program}"`];
  const quiet = options.some((line) => line.startsWith('quiet_secs')) ? [] : ['quiet_secs = 3'];
  return [`[agents.${kind}]`, ...command, ...quiet, ...options, ''].join('\n');
}

/** What the program itself wrote down. */
function given(world: World, worker: string): string[] {
  const file = join(world.home, `given-${worker}`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => String(JSON.parse(line)));
}

async function press(world: World, worker: string, ...keys: string[]): Promise<void> {
  const socket = join(world.root, 'run', 'tmux.sock');
  await promisify(execFile)('tmux', ['-N', '-S', socket, 'send-keys', '-t', `=llmc-${worker}:`, ...keys], { env: world.env });
}

const isInstalled = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

const REAL = [
  { name: 'sh', options: ['command = "sh"'], line: 'echo once >> ~/given-sh && git commit --quiet --allow-empty -m Once', inEachRun: true },
  {
    name: 'python3',
    options: ['command = "python3"', 'args = ["-i", "-q"]'],
    line: 'import os; os.system("echo once >> ~/given-python3 && git commit --quiet --allow-empty -m Once")',
  },
].filter(({ name }) => isInstalled(name));
const REAL_ROWS = rowsOfThisRun(REAL, ({ inEachRun }) => inEachRun === true);

describe('any command as an agent, without patterns', () => {
  let world: World;

  beforeAll(async () => {
    world = await llmcWorld({ stage: 'root' });
    const tables = [
      ...ROWS.map(({ kind, options, command }) => declared(kind, options, command)),
      ...[...OTHERS, ...SPEAKERS.map(({ kind }) => kind)].map((kind) => declared(kind)),
      ...REAL_ROWS.map(({ name, options }) => [`[agents.${name}]`, ...options, 'quiet_secs = 3', ''].join('\n')),
    ];
    appendFileSync(join(world.root, 'config.toml'), tables.join('\n'));
    const workers = [...ROWS, ...SPEAKERS]
      .map(({ kind }) => kind)
      .concat(
        OTHERS,
        REAL_ROWS.map(({ name }) => name),
      );
    for (const worker of workers) await world.ok('add', worker, '--agent', worker);
    await world.ok('up', '--detach');
    const started = [...ROWS.map(({ kind }) => kind), ...OTHERS];
    await Promise.all([
      // The timeout does not matter: the ledger shows at the end what was acknowledged.
      ...started.map((worker) => world.run(['start', '--worker', worker, '--prompt', TASK, '--timeout', '1s'])),
      ...SPEAKERS.map(({ kind }) => world.run(['start', '--worker', kind, '--expect', 'answer', '--prompt', TASK, '--timeout', '1s'])),
      ...REAL_ROWS.map(({ name, line }) => world.ok('message', name, line)),
    ]);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.for(ROWS)('$kind: the prompt arrives once, and the end of the turn is found', async ({ kind, ack, ended, attempts = 1 }) => {
    await reaches(world, kind, 'needs_review');
    const [prompt, ...more] = given(world, kind);
    expect(more).toEqual([]);
    expect(prompt).toMatch(/^You are working in: /);
    expect(prompt?.endsWith(TASK)).toBe(true);
    expect(prompt?.includes('\n')).toBe(kind === 'paste');
    expect(await commitsOf(world, kind)).toEqual([`Work of ${kind}`]);
    expect(deliveriesOf(world, kind)).toMatchObject([{ state: 'done', attempt: attempts, ack_source: ack }]);
    expect(historyOf(world, kind, 'status').at(-1)?.summary).toMatch(ended);
  });

  test.for(REAL_ROWS)('the real $name gets a line once, and its commit waits for review', async ({ name }) => {
    await reaches(world, name, 'needs_review');
    expect(readFileSync(join(world.home, `given-${name}`), 'utf8')).toBe('once\n');
    expect(await commitsOf(world, name)).toEqual(['Once']);
    expect((await world.worker(name)).attention).toBe(`Review it: llmc review ${name} (probably finished: quiet for 3 s)`);
  });

  test.for(SPEAKERS)('$kind: what the screen shows behind the prompt is the answer, and llmc says where it comes from', async (row) => {
    const { kind, shown, sure } = row;
    await reaches(world, kind, 'needs_review');
    const evidence = sure ? '' : ' (probably finished: quiet for 3 s)';
    expect(await world.worker(kind)).toMatchObject({
      attention_kind: 'answer',
      attention: `Read its answer: llmc review ${kind}${evidence}`,
    });
    const { answer } = await world.json(reviewed, 'review', kind);
    expect(answer).toMatchObject({ text: shown, source: 'screen' });
    expect(await world.ok('review', kind)).toContain('This was read from its screen');
    await world.ok('dismiss', kind);
    expect(await world.ok('queue', 'show', String(answer.task))).toContain('answer, as its screen showed it:\n\n  The cache is cold.');
    expect(given(world, kind)).toHaveLength(1);
  });

  test('a question for yes or no goes to the person, and no prompt answers it', async () => {
    await reaches(world, 'asks', 'needs_input');
    expect(await world.worker('asks')).toMatchObject({
      attention: 'It asks: Change work.txt? [y/N]. Answer it there: llmc attach asks',
    });
    expect(await world.ok('message', 'asks', 'y')).toContain('a dialog is open');
    expect(given(world, 'asks')).toHaveLength(1);
    await press(world, 'asks', 'y', 'Enter');
    await until('the answer to arrive', async () => given(world, 'asks').includes('answer: y'));
    await until('the message to arrive', async () => given(world, 'asks').length === 3);
    expect(given(world, 'asks').at(-1)).toBe('y');
  });

  // In each run, test/live/declared-agent.test.ts kills an agent during its task.
  testOfFullRun('a program that crashes is started again, and gets its task again', async () => {
    await reaches(world, 'crash', 'needs_review');
    expect(given(world, 'crash')).toHaveLength(2);
    expect(await commitsOf(world, 'crash')).toEqual(['Work of crash']);
  });
});
