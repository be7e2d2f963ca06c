import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { seededRandom } from './seeded-random.ts';
import { historyOf, ROLES, type Role, swarmStory } from './swarm-story.ts';
import { crashWorld } from './world.ts';

/** The changes of a swarm with one round of remarks, from its first agent to its landing. */
const CHANGES = 49;
const LONGEST_PAUSE_MS = 150;
/** Each seed kills this often in one run. */
const KILLS = 4;
/** 20 moments in the full run. */
const SEEDS = isFullRun ? [1, 2, 3, 4, 5] : [1];
/** The turns of each role in a swarm with one round of remarks. */
const TURNS: Readonly<Record<Role, number>> = { researcher: 1, developer: 2, reviewer: 2 };
const ORDER = ['researcher', 'developer', 'reviewer', 'developer', 'reviewer'] as const;
/** How often the supervisor is killed with the agent. */
const WITH_THE_SUPERVISOR = 0.4;
const PATIENCE_MS = 240_000;
/** About a turn of the demo agent, so that some kills come after its end. */
const LONGEST_TURN_MS = 1_000;

test.concurrent.for(SEEDS)(
  `a supervisor killed at ${KILLS} random moments of a swarm (seed %i): the run goes on, each agent gets each prompt once, one landing`,
  { timeout: 600_000 },
  async (seed, { signal }) => {
    const random = seededRandom(seed);
    await using world = await crashWorld([], signal);
    const swarm = swarmStory(world, { remarks: true });
    expect(await world.up()).toMatchObject({ status: 0 });
    const before = world.changes();
    await swarm.begin();
    const kills = async () => {
      for (const share of Array.from({ length: KILLS }, random).toSorted((one, other) => one - other)) {
        const moment = { changes: before + Math.floor(share * CHANGES), pauseMs: random() * LONGEST_PAUSE_MS };
        await world.killSupervisorAt(moment, swarm.isOver);
        expect(await world.up()).toMatchObject({ status: 0 });
      }
    };
    await Promise.all([kills(), swarm.accept()]);
    await swarm.endsOnce();
    for (const role of ROLES) {
      const events = swarm.recorded(role).map(({ event }) => event);
      expect(events, `${role}\n${historyOf(world)}`).toEqual(Array.from({ length: TURNS[role] }, () => ['began', 'ended']).flat());
    }
    expect(world.rows('SELECT code, message FROM error_log')).toEqual([]);
  },
);

test.concurrent.for(SEEDS)(
  'every agent of a swarm killed in each of its turns at a random moment (seed %i): only that turn is tried again, one landing',
  { timeout: 600_000 },
  async (seed, { signal }) => {
    const random = seededRandom(100 + seed);
    await using world = await crashWorld([], signal);
    const swarm = swarmStory(world, { remarks: true });
    expect(await world.up()).toMatchObject({ status: 0 });
    await swarm.begin();
    const turns = (role: Role) => swarm.recorded(role).filter(({ event }) => event === 'began' || event === 'continued').length;
    const known: Record<Role, number> = { researcher: 0, developer: 0, reviewer: 0 };
    const hit: Record<Role, number> = { researcher: 0, developer: 0, reviewer: 0 };
    const kills = async () => {
      for (const role of ORDER) {
        await until(`the next turn of the ${role}`, async () => turns(role) > known[role] || swarm.isOver(), PATIENCE_MS);
        // What the role before it repeated was repeated before this turn.
        for (const other of ROLES) if (other !== role) known[other] = turns(other);
        if (await world.killAgentAfter(`swarm-1-${role}`, random() * LONGEST_TURN_MS)) hit[role] += 1;
        if (random() >= WITH_THE_SUPERVISOR) continue;
        await world.killSupervisorAt({ changes: 0, pauseMs: random() * LONGEST_PAUSE_MS }, swarm.isOver);
        expect(await world.up()).toMatchObject({ status: 0 });
      }
    };
    await Promise.all([kills(), swarm.accept()]);
    await swarm.endsOnce();
    for (const role of ROLES) expect(turns(role), `${role}\n${historyOf(world)}`).toBeLessThanOrEqual(TURNS[role] + hit[role]);
    expect(world.rows("SELECT code, message FROM error_log WHERE code <> 'AGENT_CRASHED'")).toEqual([]);
  },
);

test.concurrent.for(SEEDS)(
  'a machine without power at random moments of a swarm (seed %i): the run goes on, no agent is blamed, one landing',
  { timeout: 600_000 },
  async (seed, { signal }) => {
    const random = seededRandom(200 + seed);
    await using world = await crashWorld([], signal);
    const swarm = swarmStory(world, { remarks: true });
    expect(await world.up()).toMatchObject({ status: 0 });
    const before = world.changes();
    await swarm.begin();
    for (const share of [random() / 3, (1 + random()) / 3, (2 + random()) / 3]) {
      const moment = { changes: before + Math.floor(share * CHANGES), pauseMs: random() * LONGEST_PAUSE_MS };
      await world.cutPowerAt(moment, swarm.isOver);
      expect(await world.up()).toMatchObject({ status: 0 });
    }
    await swarm.accept();
    await swarm.endsOnce();
    const turns = (role: Role) => swarm.recorded(role).filter(({ event }) => event === 'began').length;
    for (const role of ROLES) expect(turns(role), `${role}\n${historyOf(world)}`).toBeLessThanOrEqual(TURNS[role] + 3);
    expect(world.rows('SELECT code, message FROM error_log')).toEqual([]);
  },
);
