import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { standing } from '../../src/workers/status/transitions.ts';
import { until } from '../support/scratch-tmux.ts';
import { expectLandedOnce } from './story.ts';
import type { CrashWorld } from './world.ts';

const RUN = 'swarm-1';
const DEVELOPER = `${RUN}-developer`;
export const ROLES = ['researcher', 'developer', 'reviewer'] as const;
export type Role = (typeof ROLES)[number];

const TASK = 'Add a line about the sea';
/** A run with every kind of failure that a test causes, on a machine under load. */
const PATIENCE_MS = 240_000;

const recordSchema = z.object({ worker: z.string(), event: z.enum(['began', 'continued', 'ended', 'failed', 'left']), task: z.string() });
type Recorded = z.infer<typeof recordSchema>;

/** One swarm in a crash world, with what its agents recorded themselves. */
export interface SwarmStory {
  /** Starts the run. Its answer may be lost with the supervisor; the run is recorded before it begins. */
  begin(): Promise<void>;
  status(): unknown;
  isOver(): boolean;
  /** The lines that the agents of a role wrote, the oldest first. */
  recorded(role: Role): readonly Recorded[];
  /** Accepts the work as soon as it waits for review, again after a crash, until the run is over. */
  accept(): Promise<void>;
  /** Waits for the end, and expects that everything was done and landed once. */
  endsOnce(): Promise<void>;
}

const REMARKS = 'turns: [{when: ., steps: [{leave: {file: verdict.yaml, issues: ["a.ts:1: more tests"], rounds: 1}}]}]';

/** Call it before `up`. `remarks`: the reviewer sends the work back once. */
export function swarmStory(world: CrashWorld, { remarks = false } = {}): SwarmStory {
  const record = join(world.repo.dir, 'tasks.jsonl');
  const scenarios = join(world.repo.dir, 'scenarios');
  mkdirSync(scenarios);
  if (remarks) writeFileSync(join(scenarios, 'reviewer.yaml'), REMARKS);
  const args = ['--record', record, '--scenario', scenarios];
  appendFileSync(world.layout.config, `\n[agents.demo]\nargs = ${JSON.stringify(args)}\n`);
  const story: SwarmStory = {
    begin: async () => void (await world.llmc(['run', 'swarm', '--input', `task=${TASK}`, '--detach'])),
    status: () => world.rows('SELECT status FROM runs WHERE id = ?', RUN)[0]?.status,
    isOver: () => story.status() !== 'running',
    recorded: (role) => (existsSync(record) ? linesOf(record).filter(({ worker }) => worker === `${RUN}-${role}`) : []),
    async accept() {
      const waits = () => {
        const developer = world.state().workers[DEVELOPER];
        // A worker whose agent died is offered without a session.
        return developer !== undefined && standing(developer) === 'needs_review';
      };
      while (!story.isOver()) {
        await until('the landing', async () => waits() || story.isOver(), PATIENCE_MS);
        if (!story.isOver()) await world.llmc(['accept', DEVELOPER]);
      }
    },
    async endsOnce() {
      await until('the run to end', async () => story.isOver(), PATIENCE_MS).catch((cause: unknown) => {
        throw new Error(`${String(cause)}\n${historyOf(world)}`, { cause });
      });
      expect(story.status(), historyOf(world)).toBe('done');
      await until(
        'its workers to be removed',
        async () => !Object.keys(world.state().workers).some((name) => name.startsWith(RUN)),
        PATIENCE_MS,
      );
      await until(
        'its last task to be settled',
        async () => world.rows("SELECT id FROM run_tasks WHERE state <> 'done'").length === 0,
        PATIENCE_MS,
      );
      expect(readdirSync(world.layout.worktrees)).toEqual([]);
      await expectLandedOnce(world, { [DEVELOPER]: TASK });
      // Each round of a stage ended once: nothing that was finished was done again.
      const ends = world.rows("SELECT step FROM run_history WHERE text = 'done' ORDER BY seq").map(({ step }) => step);
      expect(ends).toEqual(['research', 'develop', ...(remarks ? ['develop'] : []), 'review', 'land']);
    },
  };
  return story;
}

const linesOf = (file: string): readonly Recorded[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordSchema.parse(JSON.parse(line)));

/** What the run decided, for the message of a failed test. */
export function historyOf(world: CrashWorld): string {
  return world
    .rows('SELECT step, text FROM run_history ORDER BY seq')
    .map(({ step, text }) => `${String(step)}: ${String(text)}`)
    .join('\n');
}
