import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openGate, untilOpen } from '../support/agent-side.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const rebased = z.object({ worker: z.string(), branch: z.string(), outcome: z.string(), status: z.string(), files: z.array(z.string()) });
const resolution = z.object({
  cause: z.string(),
  phase: z.string(),
  outcome: z.string().nullable(),
  attempts: z.number(),
  called: z.string().nullable(),
});

const FILES = { 'list.txt': 'one\ntwo\nthree\n' };
const BOTH = 'one\ntwo by a person\nThe sea is deep\ntwo by the worker\nthree\n';
const WORK = `
  - steps:
      - edit: { path: list.txt, replace: { old: two, new: "two by the worker" } }
      - commit: Change the list`;

interface Story {
  /** The turns after the task, as YAML. */
  readonly turns: string;
  readonly config?: string;
}

/** A worker whose finished work conflicts with a commit that its user made on main. */
async function conflictingWorld({ turns, config = '' }: Story): Promise<World> {
  const world = await llmcWorld({ workers: ['adam'], source: { files: FILES }, scenario: `turns:${WORK}${turns}`, config, stage: 'root' });
  try {
    await world.comeUp();
    await world.ok('start', '--worker', 'adam', '--prompt', 'Change the list', '--wait');
    world.write('list.txt', 'one\ntwo by a person\nThe sea is deep\nthree\n');
    await world.git('commit', '--quiet', '--all', '-m', 'Change the list on main');
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

const reaches = (world: World, status: string) => world.ok('wait', 'adam', '--for', status, '--timeout', '90s');
const resolutions = (world: World) =>
  world.rows(resolution, 'SELECT cause, phase, outcome, attempts, called FROM resolutions ORDER BY created_ms');
const calledFor = async (world: World, kind: string) =>
  until(`adam to have ${kind}`, async () => (await world.worker('adam')).attention_kind === kind, 240_000);
const listOnMain = (world: World) => readFileSync(join(world.source, 'list.txt'), 'utf8');

const RIGHT = `
  - steps: [{ resolve: both }, { say: Both sides are there. }]`;

test('a conflict that accept meets goes to the agent, which resolves it; it is proven, reviewed and accepted', async () => {
  await using world = await conflictingWorld({ turns: RIGHT });
  const met = await world.refused(['accept', 'adam']);
  expect(met).toMatchObject({ code: 'REBASE_CONFLICT', hint: expect.stringContaining('llmc wait adam --for needs_review') });
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
  expect(resolutions(world)).toEqual([{ cause: 'accept', phase: 'settled', outcome: 'resolved', attempts: 1, called: null }]);
  expect(await world.ok('review', 'adam')).toContain('+two by the worker');
  await world.ok('accept', 'adam');
  expect(listOnMain(world)).toBe(BOTH);
  expect(await world.git('log', '--format=%s', '--max-count=2')).toBe('Change the list\nChange the list on main');
});

test('while an agent resolves a conflict, its worker takes no task and no review', async () => {
  await using world = await conflictingWorld({ turns: '\n  - steps: [{ misbehave: stall }]' });
  expect(await world.json(rebased, 'rebase', 'adam')).toMatchObject({ outcome: 'resolving', status: 'rebasing', files: ['list.txt'] });
  expect(await world.refused(['review', 'adam'])).toMatchObject({
    code: 'ILLEGAL_TRANSITION',
    message: expect.stringContaining('resolving its conflict'),
  });
  expect(await world.refused(['accept', 'adam'])).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  expect(await world.refused(['start', '--worker', 'adam', '--prompt', 'More'])).toMatchObject({ code: 'WORKER_BUSY' });
  const before = await world.gitIn(world.worktree('adam'), 'rev-parse', 'llmc/adam');
  expect(await world.json(rebased, 'rebase', 'adam', '--abort')).toMatchObject({ outcome: 'aborted', status: 'needs_review' });
  expect(await world.gitIn(world.worktree('adam'), 'log', '-1', '--format=%H %D')).toContain(`${before} HEAD -> llmc/adam`);
  expect(await world.gitIn(world.worktree('adam'), 'status', '--porcelain')).toBe('');
});

// The tests of the full run are rows of test/merge/outcomes.test.ts, which has no terminal.
testOfFullRun('llmc continues a rebase that the agent only staged', async () => {
  await using world = await conflictingWorld({ turns: '\n  - steps: [{ resolve: staged }]' });
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
  await world.ok('accept', 'adam');
  expect(listOnMain(world)).toBe(BOTH);
});

testOfFullRun('an agent that aborts gets its commit back, and llmc does not start again by itself', async () => {
  await using world = await conflictingWorld({ turns: `\n  - steps: [{ resolve: abort }]${RIGHT}` });
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'conflict_given_up' });
  // A person can still read the work as it is.
  expect(await world.ok('review', 'adam')).toContain('+two by the worker');
  expect(resolutions(world)).toHaveLength(1);
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
});

testOfFullRun('an agent that stops three times at the same conflict calls a person, whose message starts it again', async () => {
  const nothing = '\n  - steps: [{ say: I do not know. }]';
  await using world = await conflictingWorld({ turns: `${nothing}${nothing}${nothing}${RIGHT}` });
  await world.ok('rebase', 'adam');
  await calledFor(world, 'resolution_stuck');
  expect(await world.worker('adam')).toMatchObject({ status: 'rebasing', attention: expect.stringContaining('llmc rebase adam --abort') });
  expect(resolutions(world)).toMatchObject([{ attempts: 3, called: 'loop' }]);
  await world.ok('message', 'adam', 'Keep both lines');
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
});

test('an agent that makes no progress gets help, then a person is called', async () => {
  await using world = await conflictingWorld({ turns: '\n  - steps: [{ misbehave: stall }]' });
  world.set('repo', 'conflict_patience_secs = 1');
  await world.ok('rebase', 'adam');
  await calledFor(world, 'resolution_stuck');
  expect(resolutions(world)).toMatchObject([{ attempts: 2, called: 'stuck' }]);
  expect(await world.worker('adam')).toMatchObject({ status: 'rebasing' });
});

testOfFullRun('markers that were staged go back to the agent', async () => {
  const fix = `
  - steps:
      - edit: { path: list.txt, content: "one\\ntwo by a person\\nThe sea is deep\\ntwo by the worker\\nthree\\n" }
      - run: git add list.txt && git -c core.editor=true rebase --continue`;
  await using world = await conflictingWorld({ turns: `\n  - steps: [{ resolve: markers }]${fix}` });
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(resolutions(world)).toMatchObject([{ attempts: 2, outcome: 'resolved' }]);
  await world.ok('accept', 'adam');
  expect(listOnMain(world)).not.toContain('<<<<');
});

testOfFullRun('lines of main that the agent dropped are found, sent back and come back', async () => {
  const fix = `
  - steps:
      - edit: { path: list.txt, replace: { old: "two by the worker", new: "two by a person\\nThe sea is deep\\ntwo by the worker" } }
      - commit: Bring back the line of main`;
  await using world = await conflictingWorld({ turns: `\n  - steps: [{ resolve: worker }]${fix}` });
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(resolutions(world)).toMatchObject([{ attempts: 2, outcome: 'resolved' }]);
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
  await world.ok('accept', 'adam');
  expect(listOnMain(world)).toBe(BOTH);
});

testOfFullRun('a validation that fails after the rebase goes back to the agent, which fixes it', async () => {
  const fix = `
  - steps:
      - edit: { path: checked.txt, content: "yes\\n" }
      - commit: Make the check pass`;
  await using world = await conflictingWorld({ turns: `${RIGHT}${fix}` });
  world.set('repo', 'validate = ["test -f checked.txt"]');
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(resolutions(world)).toMatchObject([{ attempts: 2, outcome: 'resolved' }]);
  expect(await world.gitIn(world.worktree('adam'), 'log', '-1', '--format=%s')).toBe('Make the check pass');
});

test('an agent that crashes in the middle is resumed and resolves the conflict', async () => {
  await using world = await conflictingWorld({ turns: `\n  - steps: [{ say: Reading. }, { misbehave: crash }, { resolve: both }]` });
  await world.ok('rebase', 'adam');
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
});

// test/crash/resolution.test.ts kills the supervisor in the middle of a resolution in each run.
testOfFullRun('a supervisor that was stopped in the middle goes on after the next up', async () => {
  await using world = await conflictingWorld({ turns: `\n  - steps: [{ say: Reading. }, ${untilOpen('read')}, { resolve: both }]` });
  await world.ok('rebase', 'adam');
  await until('the agent to work on it', async () => (await world.worker('adam')).activity.kind === 'processing');
  await world.ok('down');
  expect(await world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'rebasing' });
  openGate(world, 'read');
  await world.comeUp();
  await reaches(world, 'needs_review');
  expect(await world.worker('adam')).toMatchObject({ attention_kind: 'resolved' });
  expect(resolutions(world)).toMatchObject([{ outcome: 'resolved' }]);
});

// In each run in src/workers/rebase/resolution.test.ts: accept without a supervisor changes nothing and names the next command.
testOfFullRun('without a supervisor, a conflict names the next command', async () => {
  await using world = await conflictingWorld({ turns: RIGHT });
  await world.ok('down');
  expect(await world.refused(['rebase', 'adam'])).toMatchObject({ code: 'SUPERVISOR_NOT_RUNNING' });
  expect(await world.refused(['accept', 'adam'])).toMatchObject({
    code: 'REBASE_CONFLICT',
    hint: expect.stringContaining('llmc rebase adam'),
  });
});
