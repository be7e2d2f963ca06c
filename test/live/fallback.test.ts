import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeLayout } from '../../src/store/layout.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { runReaches, untilAtWork, untilOf } from '../support/run-side.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { swarmWorld } from './swarm-world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
const CRASH = '{misbehave: crash}';
const PROGRESS = '{progress: {done: 2, total: 5, note: tests}}';
const turn = (...steps: readonly string[]) => `turns: [{when: ., steps: [${steps.join(', ')}]}]`;
/** An agent that is started again goes on in its turn: with this one, every start ends in a crash. */
const ALWAYS = turn(PROGRESS, ...Array.from({ length: 8 }, () => CRASH));
const COMMIT = '{edit: {path: sea.md, append: "sea\\n"}}, {commit: Add the sea}';

let world: World;
beforeAll(async () => {
  world = await swarmWorld();
  const config = join(world.root, 'config.toml');
  const log = 'log_file = "logs/error.log"\nlog_level = "error"';
  writeFileSync(config, readFileSync(config, 'utf8').replace('[workflow]\n', `[workflow]\n${log}\n`));
  mkdirSync(others());
  const args = ['--scenario', others(), '--record', join(world.dir, 'tasks.jsonl')];
  const absent = `[agents.absent]\nextends = "demo"\ncommand = ${JSON.stringify(join(world.dir, 'absent'))}\n`;
  appendFileSync(join(world.root, 'config.toml'), `\n[agents.other]\nextends = "demo"\nargs = ${JSON.stringify(args)}\n${absent}`);
});
afterAll(async () => await world[Symbol.asyncDispose]());

/** What all runs have in the log that they share. */
const logged = (run: string) =>
  readFileSync(join(world.root, 'logs/error.log'), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [logSchema.parse(JSON.parse(line))]))
    .filter((line) => line.run === run);
const logSchema = z.object({ run: z.string(), level: z.string(), step: z.string().nullable(), code: z.string().nullish() });

/** The scenarios of the fallback. */
const others = () => join(world.dir, 'others');

interface Agents {
  readonly own?: string;
  readonly other?: string;
}

/** A run of one stage with a fallback; its agents behave as the scenarios say, otherwise they work at once. */
function define(name: string, { own, other }: Agents, stage = '{ id: develop, role: developer, prompt: Build it }'): string {
  const text = `name: ${name}\nroles: { developer: { fallback: other } }\nstages:\n  - ${stage}\n`;
  writeFileSync(join(world.root, 'workflows', `${name}.yaml`), text);
  if (own !== undefined) writeFileSync(join(world.scenarios, `${name}-1-developer.yaml`), own);
  if (other !== undefined) writeFileSync(join(others(), `${name}-1-developer.yaml`), other);
  return `${name}-1`;
}

const question = z.object({
  number: z.int(),
  type: z.string(),
  text: z.string(),
  options: z.array(z.string()),
  see: z.array(z.string()),
  attempts: z.array(z.object({ agent: z.string(), attempts: z.int(), why: z.string() })),
  progress: z.object({ done: z.int(), total: z.int(), note: z.string() }).nullable(),
});
const view = z.object({
  status: z.string(),
  stages: z.array(z.object({ id: z.string(), state: z.string(), session: z.string() })),
  questions: z.array(question),
});
const items = z.object({ stages: z.array(z.object({ items: z.array(z.object({ key: z.string(), state: z.string() })) })) });
const show = async (run: string) => await world.json(view, 'show', run);

const endingSchema = z.object({ context: z.object({ how: z.string(), status: z.int().nullable() }).partial() });
const failureSchema = z.object({ code: z.string(), retries: z.int(), cause: endingSchema.nullable() });

/** The failures of a run, each with how its agent ended. */
const failures = (run: string) =>
  world
    .rows(z.object({ error_json: z.string() }), 'SELECT error_json FROM error_log WHERE run = ? ORDER BY rowid', run)
    .map(({ error_json }) => failureSchema.parse(JSON.parse(error_json)))
    .map(({ code, retries, cause }) => ({ code, before: retries, ...cause?.context }));

const recordSchema = z.object({ worker: z.string(), event: z.string(), conversation: z.string() });
const conversations = (worker: string) =>
  readFileSync(join(world.dir, 'tasks.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => recordSchema.parse(JSON.parse(line)))
    .filter((record) => record.worker === worker && record.event !== 'ended')
    .map(({ conversation }) => conversation);

const tmux = async (...args: readonly string[]) =>
  await systemProcesses.run({ file: 'tmux', args: ['-S', makeLayout(world.root).tmuxSocket, ...args] });

describe.concurrent('a primary agent that crashes twice', () => {
  test('has its fallback finish, in the same worktree, in a conversation of its own, with a note and tries of its own', async () => {
    const names = join(world.dir, 'sessions');
    const note = join(world.dir, 'note');
    const session = `{run: "tmux -S '${makeLayout(world.root).tmuxSocket}' list-sessions -F '#S' | grep llmc-takes-1 >> '${names}'"}`;
    const run = define('takes', {
      own: turn(session, PROGRESS, '{run: "echo half > half.txt"}', CRASH, session, '{exit: 3}'),
      other: turn(session, CRASH, session, `{run: "cat .llmc-task/in/handoff.md half.txt > '${note}'"}`, COMMIT),
    });
    await world.ok('run', 'takes', '--detach');
    await runReaches(world, run, 'done');
    expect(readFileSync(names, 'utf8').trim().split('\n')).toEqual(
      ['', '-r2', '-other', '-other-r2'].map((suffix) => `llmc-takes-1-developer${suffix}`),
    );
    expect(failures(run)).toMatchObject([
      { code: 'AGENT_CRASHED', before: 0, how: 'crashed', status: null },
      { code: 'AGENT_CRASHED', before: 1, how: 'crashed', status: 3 },
      { code: 'AGENT_CRASHED', before: 0, how: 'crashed' },
    ]);
    expect(readFileSync(note, 'utf8')).toMatch(
      /demo began this task .*status 3.*It had 2 attempts[\s\S]*2 of 5 were done \(tests\)[\s\S]*half/,
    );
    // One file has the failures of all runs, and nothing else; a run has no log of its own.
    expect(logged(run)).toEqual(Array(3).fill({ run, level: 'error', step: 'develop', code: 'AGENT_CRASHED' }));
    expect(existsSync(join(world.root, `logs/${run}.log`))).toBe(false);
    const [first, ...others] = new Set(conversations('takes-1-developer'));
    expect([first, others.length]).toEqual([expect.any(String), 1]);
  });

  test('or whose session is gone without a trace, is told apart', async () => {
    const waits = '{take: 600s}';
    const run = define('gone', { own: turn(waits, COMMIT) });
    await world.ok('run', 'gone', '--detach');
    await untilAtWork(world, run, 'develop: developer');
    await tmux('kill-session', '-t', '=llmc-gone-1-developer');
    await untilOf(world, run, 'the failure', async () => failures(run).length === 1);
    expect(failures(run)).toMatchObject([{ code: 'AGENT_CRASHED', how: 'not_found', status: null }]);
    await world.ok('abort', run, '--yes');
  });
});

test('crashes and bad results have counters of their own: together they would be too many', async () => {
  const bad = '{leave: {bad: missing}}';
  const run = define(
    'both',
    { own: `turns: [{steps: [${CRASH}, ${bad}]}, {steps: [${bad}]}, {steps: [{leave: {}}]}]` },
    '{ id: develop, role: developer, output: notes.md, prompt: Write it }',
  );
  await world.ok('run', 'both', '--detach');
  await runReaches(world, run, 'done');
  const codes = failures(run).map(({ code, before }) => `${code} ${before}`);
  expect(codes).toEqual(['AGENT_CRASHED 0', 'AGENT_INVALID_OUTPUT 0', 'AGENT_INVALID_OUTPUT 1']);
  expect((await show(run)).stages).toMatchObject([{ state: 'done', session: '-r2' }]);
});

describe.concurrent('after both agents have crashed twice', () => {
  const lost = async (name: string, agents: Agents) => {
    const run = define(name, { own: ALWAYS, other: ALWAYS, ...agents });
    await world.ok('run', name, '--detach');
    await untilOf(world, run, 'the question', async () => (await show(run)).questions.length === 1);
    return run;
  };
  const twice = (...steps: readonly string[]) => turn(PROGRESS, CRASH, CRASH, ...steps);

  test('a person sees both, how far they were and the last output; restart tries the primary', async () => {
    const run = await lost('restart', {});
    const [asked] = (await show(run)).questions;
    const why = expect.stringContaining('signal 9');
    expect(asked).toMatchObject({
      type: 'crash',
      options: ['restart', 'fallback', 'skip', 'abort'],
      progress: { done: 2, total: 5, note: 'tests' },
      attempts: [
        { agent: 'demo', attempts: 2, why },
        { agent: 'other', attempts: 2, why },
      ],
    });
    const [, ...said] = asked?.text.split('\n') ?? [];
    const output = readFileSync(asked?.see[0] ?? '', 'utf8');
    expect(said.filter((line) => output.includes(line.trim()))).toEqual(said);
    expect(said.length).toBeGreaterThan(0);
    expect(await world.ok('decide', run)).toContain('[R]estart (recommended)  [F]allback  [S]kip  [A]bort');
    // Another conversation begins its turn again.
    writeFileSync(join(world.scenarios, `${run}-developer.yaml`), turn(COMMIT));
    await world.ok('decide', run, 'restart');
    await runReaches(world, run, 'done');
    expect((await show(run)).stages).toMatchObject([{ state: 'done', session: '' }]);
  });

  // The test above answers the same question with restart; src/workflow/next/four-choices.test.ts has every answer in each run.
  testOfFullRun('fallback lets the fallback try again', async () => {
    const run = await lost('again', { other: twice(COMMIT) });
    await world.ok('decide', `${run}#1`, 'F');
    await runReaches(world, run, 'done');
    expect((await show(run)).stages).toMatchObject([{ state: 'done', session: '-other' }]);
  });

  test('or have crashed and not been found, F says that it still cannot take over, R tries the primary, S and A do as they say', async () => {
    const run = 'absent-1';
    const each = `for_each: { of: inputs.epic.stories, key: id }\n    stages: [{ id: develop, role: developer, prompt: "Build {{item.id}}." }]`;
    const text = `inputs: { epic: { type: file } }\nroles: { developer: { fallback: absent } }\nstages:\n  - id: all\n    ${each}\n`;
    writeFileSync(join(world.root, 'workflows/absent.yaml'), `name: absent\n${text}`);
    writeFileSync(join(world.dir, 'absent-epic.yaml'), 'stories: [{id: s1}, {id: s2}, {id: s3}]\n');
    // The agent goes on in its conversation: its third start has the first commit.
    const story = (when: string, ...rest: readonly string[]) =>
      `{ when: ${when}, steps: [${[PROGRESS, CRASH, CRASH, ...rest].join(', ')}] }`;
    writeFileSync(join(world.scenarios, `${run}-developer.yaml`), `turns: [${story('Build s1', COMMIT)}, ${story('.')}]`);
    const begun = await world.run(['run', 'absent', '--input', `epic=${join(world.dir, 'absent-epic.yaml')}`, '--detach']);
    expect(begun).toMatchObject({ status: 0, stderr: expect.stringMatching(/^absent, the fallback of developer, is left out: /m) });
    const asks = async (number: number, stage: string) => {
      await untilOf(world, run, `question ${number}`, async () => (await show(run)).questions[0]?.number === number);
      const [asked] = (await show(run)).questions;
      expect(asked).toMatchObject({
        options: ['restart', 'fallback', 'skip', 'abort'],
        text: expect.stringContaining('is not installed'),
      });
      const said = await world.ok('decide', run);
      expect(said).toContain(`${run}#${number} (crash, ${stage})`);
      expect(said).toContain('[R]estart (recommended)  [F]allback  [S]kip  [A]bort');
    };
    const stateOf = async (key: string) => (await world.json(items, 'show', run)).stages[0]?.items.find((item) => item.key === key)?.state;

    await asks(1, 'develop/s1');
    await world.ok('decide', run, 'F');
    await asks(2, 'develop/s1');
    await world.ok('decide', run, 'R');
    await asks(3, 'develop/s2');
    expect(await stateOf('s1')).toBe('done');
    await world.ok('decide', run, 'S');
    await asks(4, 'develop/s3');
    expect(await stateOf('s2')).toBe('skipped');
    await world.ok('decide', run, 'A');
    await runReaches(world, run, 'aborted');
  });

  test('on the terminal of run, S defers a story and the next one begins, and A ends the run', async () => {
    define('epic', { own: ALWAYS, other: ALWAYS });
    const stages = 'stages: [{ id: develop, role: developer, prompt: "Build {{item.id}}" }]';
    const each = `{ id: all, for_each: { of: inputs.epic.stories, key: id, status_file: inputs.epic }, ${stages} }`;
    const text = `name: epic\ninputs: { epic: { type: file } }\nroles: { developer: { fallback: other } }\nstages:\n  - ${each}\n`;
    writeFileSync(join(world.root, 'workflows/epic.yaml'), text);
    const epic = join(world.dir, 'epic.yaml');
    writeFileSync(epic, 'stories:\n  - id: s1\n  - id: s2\n');
    await using outside = await scratchTmux();
    const argv = [process.execPath, COMMAND, 'run', 'epic', '--input', `epic=${epic}`] as const;
    const pane = await outside.start({ name: 'person', argv, cwd: world.dir, env: world.env });
    const asks = async (number: number) => {
      await pane.waitFor(`question ${number}`, ({ lines }) => lines.some((line) => line.includes(`epic-1#${number} (crash`)), 240_000);
      await pane.waitFor('its keys', ({ lines }) => lines.findLast((line) => line.trim() !== '')?.startsWith('Press r, f, s, a') === true);
    };
    await asks(1);
    await pane.keys('s');
    await asks(2);
    expect(readFileSync(epic, 'utf8')).toBe('stories:\n  - id: s1\n    status: deferred\n  - id: s2\n    status: in-progress\n');
    await pane.keys('a');
    expect(await pane.exit()).toEqual({ status: 2, signal: null });
    expect((await show('epic-1')).status).toBe('aborted');
  });
});
