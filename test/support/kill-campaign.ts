import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONVERSATION_DROPPED } from '../../src/store/tables/history.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { isFullRun } from './full-run.ts';
import type { IsolatedHome } from './isolated-home.ts';
import type { RealAgentOptions, RealAgentWorld } from './real-agent-world.ts';
import { recordedPrompts } from './recorded-prompts.ts';
import { isAlive, until } from './scratch-tmux.ts';

/** The number of prompts; the full run has 200, and any other only what LLMC_CAMPAIGN says. */
const PROMPTS = Number(process.env['LLMC_CAMPAIGN'] ?? (isFullRun ? 200 : 0));
const SEED = Number(process.env['LLMC_SEED'] ?? 1);
/** 25 kills of each kind for 200 prompts. */
const PROMPTS_PER_KILL = 8;
const WORKERS = ['adam', 'eve', 'kim', 'lee'];
const KINDS = ['agent', 'supervisor', 'tmux'] as const;
type Kind = (typeof KINDS)[number];
/** How often a kill of an agent is followed by another one while its next incarnation starts. */
const SECOND_KILLS = 0.5;
const LONGEST_START_MS = 2_500;
const NEXT_START_MS = 20_000;
const LONGEST_ANSWER_MS = 800;
/** Kills in a row do not end a worker of the campaign, and no restart waits. */
const CONFIG = '[recovery]\nmax_crashes = 100\ncrash_backoff_secs = [0]\n[delivery]\nack_timeout_ms = 20000\n';
const TIMEOUT_MS = 600_000 + PROMPTS * 60_000;

interface Campaign<World, Step> {
  readonly agent: 'claude' | 'codex';
  /** The path of the agent's program; undefined where it cannot be installed. */
  readonly program: string | undefined;
  open(options: RealAgentOptions): Promise<World>;
  /** The process of a worker's agent. */
  pid(world: World, worker: string): Promise<number>;
  /** An answer that comes when the promise does. */
  answer(after: Promise<void>): Step;
  /** The files with the agent's own conversations, and how often each has a prompt that it got once. */
  records(world: World): string;
  readonly recordedTimes: number;
}

/**
 * Gives prompts to four workers while their agents, the supervisor and the tmux server are killed at random moments, also during the
 * start of a resumed agent. Then the agents' own records and the requests to the API show what became of each prompt.
 */
export function killCampaign<Body, Step, Home extends IsolatedHome, World extends RealAgentWorld<Body, Step, Home>>(
  campaign: Campaign<World, Step>,
): void {
  if (PROMPTS === 0) return;
  const title = `the real ${campaign.agent}: ${PROMPTS} prompts under kills at random moments (LLMC_SEED=${SEED}): none is lost, doubled or repeated`;
  // Not in a suite: vitest takes one without a test, as in a run without a campaign, for a failure.
  test.skipIf(campaign.program === undefined)(title, { timeout: TIMEOUT_MS }, async () => {
    await using world = await campaign.open({ workers: WORKERS, config: CONFIG });
    const began = Date.now();
    const { kills, prompts } = await perform(world, campaign);
    const figures = { ...countIn(world, campaign, prompts), kills, minutes: Math.round((Date.now() - began) / 6_000) / 10 };
    console.info(`campaign of ${campaign.agent}, seed ${SEED}: ${JSON.stringify(figures)}`);
    expect(figures).toMatchObject({ lost: [], doubled: [], givenUp: [] });
    expect(figures.repeated.length, 'repeated in a new conversation, at most once for each that its agent refused').toBeLessThanOrEqual(
      figures.refused,
    );
  });
}

type Sent = ReadonlyMap<string, readonly string[]>;

async function perform<Body, Step, Home extends IsolatedHome, World extends RealAgentWorld<Body, Step, Home>>(
  world: World,
  campaign: Campaign<World, Step>,
): Promise<{ readonly kills: Readonly<Record<Kind, number>> & { readonly second: number }; readonly prompts: Sent }> {
  const random = seededRandom(SEED);
  const kills = { agent: 0, supervisor: 0, tmux: 0, second: 0 };
  const each = Math.max(1, Math.ceil(PROMPTS / PROMPTS_PER_KILL));
  const share = Math.ceil(PROMPTS / WORKERS.length);
  const prompts: Sent = new Map(WORKERS.map((worker) => [worker, Array.from({ length: share }, (_, index) => nameOf(worker, index))]));
  let comingUp = Promise.resolve();
  let sent = 0;

  const isDone = (worker: string, text: string) =>
    world.deliveries(worker).some((row) => row.text === text && (row.state === 'done' || row.state === 'failed'));
  const send = async (worker: string) => {
    for (const text of prompts.get(worker) ?? []) {
      world.script(worker, campaign.answer(sleep(random() * LONGEST_ANSWER_MS)));
      // A supervisor that is killed meanwhile has the prompt or not: its record decides about another try.
      for (;;) {
        await comingUp;
        const { status } = await world.run(['message', worker, text]);
        await comingUp;
        if (status === 0 || world.deliveries(worker).some((row) => row.text === text)) break;
        await sleep(200);
      }
      await until(`${worker} to answer ${text}`, async () => isDone(worker, text), 600_000).catch(async (cause: unknown) => {
        throw new Error(await world.story(worker), { cause });
      });
      sent += 1;
    }
  };

  const killAgent = async (worker: string): Promise<boolean> => {
    const pid = await campaign.pid(world, worker).catch(() => 0);
    if (!(pid > 0) || !isAlive(pid)) return false;
    process.kill(pid, 'SIGKILL');
    kills.agent += 1;
    return true;
  };
  const killTmux = async () => {
    const pid = Number(await world.tmux('display-message', '-p', '#{pid}').catch(() => '0'));
    if (!(pid > 0) || !isAlive(pid)) return false;
    process.kill(pid, 'SIGKILL');
    kills.tmux += 1;
    return true;
  };
  const killSupervisor = async () => {
    const pid = await world.supervisor().catch(() => null);
    if (pid === null) return false;
    const up = Promise.withResolvers<void>();
    comingUp = up.promise;
    process.kill(pid, 'SIGKILL');
    kills.supervisor += 1;
    await world.untilDead(pid);
    await sleep(random() * 500);
    await until('the supervisor to be up', async () => (await world.run(['up', '--detach'])).status === 0, 300_000);
    up.resolve();
    return true;
  };
  const by: Readonly<Record<Kind, (worker: string) => Promise<boolean>>> = { agent: killAgent, supervisor: killSupervisor, tmux: killTmux };

  const harm = async () => {
    while (KINDS.some((kind) => kills[kind] < each)) {
      const left = KINDS.filter((kind) => kills[kind] < each);
      const done = KINDS.reduce((sum, kind) => sum + Math.min(each, kills[kind]), 0) / (each * KINDS.length);
      // Kills keep pace with the prompts, so that they last as long as those do.
      await until('the next prompts', async () => sent >= Math.floor(done * PROMPTS) - WORKERS.length, 600_000);
      await sleep(random() * 2_000);
      const worker = WORKERS[Math.floor(random() * WORKERS.length)] ?? 'adam';
      const kind = left[Math.floor(random() * left.length)] ?? 'agent';
      const before = world.incarnation(worker);
      if (!(await by[kind](worker)) || kind === 'supervisor' || random() >= SECOND_KILLS) continue;
      // No start follows a kill that hit an agent which llmc was replacing.
      await until('the next start', async () => world.incarnation(worker) > before, NEXT_START_MS).catch(() => undefined);
      await sleep(random() * LONGEST_START_MS);
      const second = KINDS[Math.floor(random() * KINDS.length)] ?? 'agent';
      if (await by[second](worker)) kills.second += 1;
    }
  };
  await Promise.all([...WORKERS.map(send), harm()]);
  return { kills, prompts };
}

/** No name is a part of another one. */
const nameOf = (worker: string, index: number): string => `Say OK to ${worker}-${String(index).padStart(4, '0')}.`;

/** What became of the prompts, from the agents' own records and from the API. */
function countIn<Body, Step, Home extends IsolatedHome, World extends RealAgentWorld<Body, Step, Home>>(
  world: World,
  { agent, records, recordedTimes }: Campaign<World, Step>,
  prompts: Sent,
) {
  const conversations = recordedPrompts(agent, records(world));
  const all = [...prompts].flatMap(([worker, texts]) => texts.map((text) => ({ worker, text })));
  const having = (text: string) => conversations.map((told) => told.filter((one) => one.includes(text)).length);
  const bodies = new Map([...prompts.keys()].map((worker) => [worker, world.requests(worker).map(({ body }) => JSON.stringify(body))]));
  const inRequests = ({ worker, text }: { worker: string; text: string }) =>
    (bodies.get(worker) ?? []).map((body) => body.split(text).length - 1);
  const named = (rows: typeof all) => rows.map(({ text }) => text);
  const entry = z.object({ summary: z.string() });
  return {
    prompts: all.length,
    conversations: conversations.length,
    incarnations: [...prompts.keys()].map((worker) => world.incarnation(worker)),
    lost: named(all.filter((one) => having(one.text).every((times) => times === 0) || inRequests(one).every((times) => times === 0))),
    doubled: named(
      all.filter((one) => having(one.text).some((times) => times > recordedTimes) || inRequests(one).some((times) => times > 1)),
    ),
    repeated: named(all.filter(({ text }) => having(text).filter((times) => times > 0).length > 1)),
    givenUp: [...prompts.keys()].flatMap((worker) =>
      world
        .deliveries(worker)
        .filter(({ state }) => state === 'failed')
        .map(({ text, reason }) => `${text} ${reason}`),
    ),
    refused: world.rows(entry, 'SELECT summary FROM history WHERE kind = ?', CONVERSATION_DROPPED).length,
    dropped: world.rows(entry, 'SELECT summary FROM history WHERE kind = ?', CONVERSATION_DROPPED).map(({ summary }) => summary),
  };
}
