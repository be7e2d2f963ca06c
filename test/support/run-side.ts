import { z } from 'zod';
import { until } from './scratch-tmux.ts';
import type { World } from './world.ts';

/** A workflow with agents takes minutes on a busy machine. */
const DEADLINE_MS = 240_000;

/** What a run has logged; empty before it is recorded. */
const logOf = async (world: World, run: string): Promise<string> => (await world.run(['logs', run])).stdout;

/** The log of a run and why it waits, for the message of a failed test. */
async function storyOf(world: World, run: string): Promise<string> {
  const { stdout: why, stderr } = await world.run(['why', run]);
  return `${await logOf(world, run)}\n${why}${stderr}`;
}

/** Waits for something about a run. */
export async function untilOf(world: World, run: string, what: string, holds: () => Promise<boolean>): Promise<void> {
  await until(`${run}: ${what}`, holds, DEADLINE_MS).catch(async (cause: unknown) => {
    throw new Error(`${String(cause)}\n${await storyOf(world, run)}`, { cause });
  });
}

/** Waits until the run has this status, or has failed. */
export async function runReaches(world: World, run: string, wanted: string): Promise<void> {
  const waited = await world.run(['wait', run, '--for', `${wanted},failed,aborted`, '--timeout', `${DEADLINE_MS}ms`]);
  const { status } = await world.json(z.object({ status: z.string() }), 'show', run);
  if (status !== wanted) throw new Error(`${run} is ${status}, not ${wanted}: ${waited.stderr}\n${await storyOf(world, run)}`);
}

/**
 * Waits until the run knows that these agents are at work, each as `step: seat`, a pattern. What an agent writes comes before that, and a run that
 * is paused or ended in between does not ask the agent for anything.
 */
export async function untilAtWork(world: World, run: string, ...agents: readonly string[]): Promise<void> {
  await untilOf(world, run, `${agents.join(' and ')} at work`, async () => {
    const log = await logOf(world, run);
    return agents.every((agent) => new RegExp(`${agent} has the task`).test(log));
  });
}
