import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { BY_AGENT } from '../support/agent-side.ts';
import type { CrashWorld } from './world.ts';

export const TASK = 'Add a line about the sea';
/** A scratch repository begins with one commit. */
const COMMITS_BEFORE = 1;

/** What the demo agent reports from its launch to the end of its first task. */
const FIRST_EVENTS = ['session_start', 'ready', 'prompt_submit', 'tool_start', 'tool_end', 'tool_start', 'tool_end', 'stop'] as const;

/** The number of events that a new agent has sent, up to this one. */
export const eventNumber = (name: (typeof FIRST_EVENTS)[number]): number => FIRST_EVENTS.indexOf(name) + 1;

/** The states of a prompt before it is typed: `held` if it had to wait for a moment. */
export const NOT_TYPED = expect.stringMatching(/^(?:queued|held)$/);

/** Sets the scenario of the agents; call it before `up`. Returns its file. */
export function play(world: CrashWorld, scenario: string): string {
  const file = join(world.repo.dir, 'scenario.yaml');
  writeFileSync(file, scenario);
  appendFileSync(world.layout.config, `\n[agents.demo]\nargs = ["--scenario", ${JSON.stringify(file)}]\n`);
  return file;
}

/** Expects that the agent accepted the task once, and that its delivery is done. */
export function expectFinishedOnce(world: CrashWorld, worker: string, task: string): void {
  expect(world.promptsTaken(worker)).toEqual([expect.stringContaining(task)]);
  const accepted = world.rows("SELECT seq FROM events WHERE worker = ? AND name = 'prompt_submit'", worker);
  expect(accepted).toHaveLength(1);
  expect(world.rows('SELECT state, ack_source, purpose FROM deliveries WHERE worker = ?', worker)).toEqual([
    { state: 'done', ack_source: BY_AGENT, purpose: 'task' },
  ]);
}

/** Expects that main has the work of each task once, and that the workers have nothing left open. */
export async function expectLandedOnce(world: CrashWorld, tasks: Readonly<Record<string, string>>): Promise<void> {
  const { repo } = world;
  const count = Object.keys(tasks).length;
  const subjects = (await repo.run(['log', '--format=%s', '--first-parent', 'main'])).split('\n');
  expect(subjects).toHaveLength(COMMITS_BEFORE + count);
  expect(subjects.slice(0, count).toSorted()).toEqual(Object.values(tasks).toSorted());
  expect(world.rows("SELECT worker FROM landings WHERE phase <> 'settled'")).toEqual([]);
  expect(world.rows("SELECT worker FROM landings WHERE outcome = 'landed'")).toHaveLength(count);
  expect(world.rows("SELECT id FROM deliveries WHERE state NOT IN ('done')")).toEqual([]);
  // The workers of a run that is done are gone.
  const there = Object.values(world.state().workers).filter(({ name }) => Object.hasOwn(tasks, name));
  for (const { worktree_path } of there) expect(await repo.run(['status', '--porcelain'], worktree_path)).toBe('');
}

/** The state of the latest delivery and the phase of the latest landing that the crash left on disk. */
export function leftBehind(world: CrashWorld): { delivery: unknown; landing: unknown } {
  return {
    delivery: world.rows('SELECT state FROM deliveries ORDER BY seq DESC LIMIT 1')[0]?.state ?? null,
    landing: world.rows('SELECT phase FROM landings ORDER BY created_ms DESC LIMIT 1')[0]?.phase ?? null,
  };
}
