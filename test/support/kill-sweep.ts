import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { isFullRun } from './full-run.ts';
import type { IsolatedHome } from './isolated-home.ts';
import type { RealAgentWorld } from './real-agent-world.ts';
import { isAlive } from './scratch-tmux.ts';

/** From the row of a delivery to the kill of its agent: all of them in the full run, otherwise before and around the agent's report. */
export const KILLED_AFTER_MS: readonly number[] = isFullRun ? Array.from({ length: 61 }, (_, step) => step * 25) : [0, 300];

export interface Sweep<Step> {
  readonly worker: string;
  /** An answer that commits with this message. It waits for the promise. */
  commits(message: string, after: Promise<void>): Step;
  readonly over: Step;
  /** The process of the agent. */
  pid(): Promise<number>;
  /** The prompts of the agent's own records, one list per conversation. */
  recorded(): readonly (readonly string[])[];
}

/**
 * Kills the agent in a turn, and the next one before it has resumed the conversation: a killed start is not a refusal, so the third one
 * has the same conversation and is told to continue.
 */
export async function killWhileResuming<Body, Step, Home extends IsolatedHome>(
  world: RealAgentWorld<Body, Step, Home>,
  { worker, commits, over, pid, recorded }: Sweep<Step>,
  earlier: string,
): Promise<void> {
  const text = 'prompt of an agent that is killed twice';
  const killed = Promise.withResolvers<void>();
  world.script(worker, commits('work after two kills', killed.promise));
  await world.ok('message', worker, text);
  await world.until('the request', () => world.api.unused(worker) === 0);
  // Claude Code 2.1.325 writes a prompt down about 70 ms after its request. Killed before that, it is rightly given the prompt again.
  const isRecorded = () => recorded().some((prompts) => prompts.some((one) => one.includes(text)));
  await world.until('the prompt in the record of the agent', isRecorded);
  const first = await pid();
  process.kill(first, 'SIGKILL');
  let second = first;
  await world.until('the next start', async () => {
    second = await pid().catch(() => first);
    return second !== first && isAlive(second);
  });
  process.kill(second, 'SIGKILL');
  world.script(worker, commits('work after two kills', killed.promise), over);
  killed.resolve();
  await world.reaches(worker, 'needs_review');
  const story = await world.story(worker);
  const conversation = JSON.stringify(world.requests(worker).at(-1)?.body);
  for (const prompt of [text, earlier]) expect(conversation.split(prompt).length - 1, story).toBe(1);
  expect(
    world.received(worker).filter((one) => one.includes(text)),
    story,
  ).toHaveLength(1);
}

/**
 * Sends a prompt, kills its agent that long after the delivery began, and expects that the agent acted on the prompt once. A commit
 * starts the count of crashes again, so one worker can take the whole sweep.
 */
export async function killDuringDelivery<Body, Step, Home extends IsolatedHome>(
  world: RealAgentWorld<Body, Step, Home>,
  { worker, commits, over, pid }: Sweep<Step>,
  afterMs: number,
): Promise<void> {
  const text = `prompt killed after ${afterMs} ms`;
  const work = `work of ${afterMs} ms`;
  const killed = Promise.withResolvers<void>();
  const agent = await pid();
  const before = world.incarnation(worker);
  world.script(worker, commits(work, killed.promise));
  const sent = world.run(['message', worker, text]);
  await world.until('the delivery to begin', () => world.deliveries(worker).some((row) => row.text === text && row.attempt > 0));
  await sleep(afterMs);
  process.kill(agent, 'SIGKILL');
  await world.until('the agent to die', () => !isAlive(agent));
  const early = world.received(worker).filter((one) => one.endsWith(text)).length;
  // A request before the kill has used up the answer, which nobody got.
  if (world.api.unused(worker) === 0) world.script(worker, commits(work, killed.promise));
  world.script(worker, over);
  killed.resolve();
  await sent;
  await world.until('the new start', () => world.incarnation(worker) > before);
  await world.reaches(worker, 'needs_review');
  await world.until('its deliveries to be over', () => world.deliveries(worker).every(({ state }) => state === 'done'));
  const story = await world.story(worker);
  const conversation = JSON.stringify(world.requests(worker).at(-1)?.body);
  expect(conversation.split(text).length - 1, `the conversation has the prompt once (${early} requests before the kill)\n${story}`).toBe(1);
  expect(world.received(worker).filter((one) => one.endsWith(text)).length - early, story).toBeLessThanOrEqual(1);
  expect(await world.gitIn(world.worktree(worker), 'log', '--format=%s', `--grep=^${work}$`, 'origin/main..')).toBe(work);
}
