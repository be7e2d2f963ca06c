import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentWorld } from './agent-world.ts';

/** What a real agent's script needs for a conflict. */
export interface Moves<Step> {
  readonly script: (worker: string, ...steps: readonly Step[]) => void;
  /** Runs a command in the worktree. */
  readonly run: (command: string) => Step;
  /** Replaces a file by the agent's own tools. */
  readonly write: (worktree: string, file: string, text: string) => readonly Step[];
  readonly say: (text: string) => Step;
}

const text = (...middle: readonly string[]): string => ['one', ...middle, 'three', ''].join('\n');
const BOTH = text('two by a person', 'two by the worker');
const fileOf = (worker: string): string => `list-${worker}.txt`;

/** Puts the file of each worker on main. */
export async function beginLists(world: AgentWorld, ...workers: readonly string[]): Promise<void> {
  for (const worker of workers) world.write(fileOf(worker), text('two'));
  await world.git('add', '--all');
  await world.git('commit', '--quiet', '-m', 'Begin the lists');
}

/** The worker changes a line and commits, a person changes the same line on main, and accept meets the conflict. */
async function meetConflict<Step>(world: AgentWorld, worker: string, { script, run, write, say }: Moves<Step>, turns: readonly Step[]) {
  const file = fileOf(worker);
  const change = write(world.worktree(worker), file, text('two by the worker'));
  script(worker, ...change, run(`git commit --quiet --all -m "Change ${file}"`), say('Done.'), ...turns);
  await world.ok('start', '--worker', worker, '--prompt', `Change ${file}`);
  await world.reaches(worker, 'needs_review');
  world.write(file, text('two by a person'));
  await world.git('commit', '--quiet', '-m', `Change ${file} on main`, '--', file);
  expect(await world.refused(['accept', worker, '--yes'])).toMatchObject({ code: 'REBASE_CONFLICT' });
  await world.reaches(worker, 'needs_review');
}

const purposes = (world: AgentWorld, worker: string) => world.deliveries(worker).map(({ purpose }) => purpose);
const onMain = (world: AgentWorld, worker: string) => readFileSync(join(world.source, fileOf(worker)), 'utf8');

async function land(world: AgentWorld, worker: string): Promise<void> {
  expect(await world.ok('review', worker)).toContain('+two by the worker');
  await world.ok('accept', worker, '--yes');
  expect(onMain(world, worker)).toBe(BOTH);
}

/** The agent keeps both sides: proven, reviewed and landed. */
export async function resolvesRightly<Step>(world: AgentWorld, worker: string, moves: Moves<Step>): Promise<void> {
  const file = fileOf(worker);
  const resolution = [...moves.write(world.worktree(worker), file, BOTH), moves.run(`git add ${file}`), moves.say('Both lines are there.')];
  await meetConflict(world, worker, moves, resolution);
  expect(await world.worker(worker)).toMatchObject({ attention_kind: 'resolved' });
  expect(purposes(world, worker)).toEqual(['task', 'conflict']);
  await land(world, worker);
}

/** The agent drops main's line: the list goes back once, and nothing lands until the line is there again. */
export async function dropsALine<Step>(world: AgentWorld, worker: string, moves: Moves<Step>): Promise<void> {
  const file = fileOf(worker);
  const at = world.worktree(worker);
  const { script, run, write, say } = moves;
  const dropping = [...write(at, file, text('two by the worker')), run(`git add ${file}`), say('Mine is better.'), say('It stays so.')];
  await meetConflict(world, worker, moves, dropping);
  expect(purposes(world, worker)).toEqual(['task', 'conflict', 'conflict']);
  expect(world.deliveries(worker).at(-1)?.text).toContain('two by a person');
  expect(await world.refused(['accept', worker, '--yes'])).toMatchObject({ code: 'LINES_DROPPED' });
  expect(onMain(world, worker)).toBe(text('two by a person'));
  script(worker, ...write(at, file, BOTH), run(`git commit --quiet --all -m "Bring back the line"`), say('It is back.'));
  await world.ok('reject', '--worker', worker, 'Bring back the line of main');
  await world.reaches(worker, 'needs_review');
  await land(world, worker);
}
