import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { isAlive, until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { marksOf, type Role, type Scenarios, Swarm, stateOf, swarmWorld, TASK, type View } from './swarm-world.ts';

const CRASH = '{misbehave: crash}';
/** An agent that is started again goes on in its turn: with this one, every start ends in a crash. */
const CRASHES = Array.from({ length: 8 }, () => CRASH).join(', ');
const ALWAYS = `turns: [{when: ., steps: [${CRASHES}]}]`;

/** The turn of a developer, as without a scenario. */
const work = (story: string) => `{edit: {path: llmc-demo/${story}-1-developer.md, append: "${TASK}\\n"}}, {commit: ${TASK}}`;
/** The turn of a reviewer who has remarks in the first rounds. */
const remarks = (rounds: number) => `{leave: {file: verdict.yaml, issues: ["a.ts:1: more tests"], rounds: ${rounds}}}`;
const LEAVE = '{leave: {}}';
const turns = (...all: readonly string[]) => `turns: [${all.map((steps) => `{steps: [${steps}]}`).join(', ')}]`;
const eachTurn = (steps: string) => `turns: [{when: ., steps: [${steps}]}]`;

/** A shell line in place of the researcher: it ends long before the run does, however slow the machine is. */
const LATE = `name: late
inputs: { task: { type: text } }
roles: { developer: {} }
timeout: 40s
stages:
  - { id: research, command: "true" }
  - { id: develop, role: developer, output: commit, prompt: "{{inputs.task}}" }
`;

let world: World;
/** These start first and are looked at last: they wait for a time. */
let late: Swarm;
let limited: Swarm;

beforeAll(async () => {
  world = await swarmWorld();
  late = new Swarm(world, 'late', { developer: eachTurn('{misbehave: stall}') });
  await late.start(() => LATE);
  const limit = '{fail: {type: rate_limit, message: usage limit, resets_in: 4s}}';
  limited = new Swarm(world, 'limited', { researcher: turns(`${limit}, ${LEAVE}`) });
  await limited.start();
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function kill(worker: string): Promise<void> {
  const pid = await world.panePid(worker);
  process.kill(pid, 'SIGKILL');
  await until(`the agent of ${worker} to be gone`, async () => !isAlive(pid));
}

describe.concurrent('a swarm', () => {
  test('goes back to the developer for two rounds and after a reject, and lands once', async () => {
    const swarm = new Swarm(world, 'swarm', { reviewer: eachTurn(remarks(2)) });
    expect(await swarm.play()).toMatchObject({ status: 'waiting', degradation_level: 'full' });
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 3, reviewer: 3 });
    await world.ok('review', 'swarm-1-developer');
    await world.ok('reject', '--worker', 'swarm-1-developer', 'Name the sea');
    await world.ok('wait', 'swarm-1-developer', '--for', 'needs_review', '--timeout', '4m');
    await swarm.lands();
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 4, reviewer: 3 });
    expect(await world.git('show', 'main:llmc-demo/swarm-1-developer.md')).toContain(TASK);
  });

  // In each run in src/workflow/next/next.test.ts: the last round of a review that still has remarks. The test above has its rounds.
  testOfFullRun('lands work that still has remarks after the last round, and says so', async () => {
    const swarm = new Swarm(world, 'rounds', { reviewer: eachTurn('{leave: {file: verdict.yaml, issues: [never]}}') });
    const shown = await swarm.play();
    expect([shown.status, stateOf(shown, 'review'), stateOf(shown, 'land')]).toEqual(['waiting', 'skipped', 'working']);
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 3, reviewer: 3 });
    await swarm.lands();
  });
});

interface Crash {
  readonly story: string;
  readonly what: string;
  readonly scenarios: Scenarios;
  /** How many turns each role has, with the one that is tried again. */
  readonly turns: Readonly<Record<Role, number>>;
}
/** A crash of each role in each stage that has its agent at work. */
const AT_WORK: readonly Crash[] = [
  {
    story: 'res',
    what: 'researcher in its research',
    scenarios: { researcher: turns(`${CRASH}, ${LEAVE}`) },
    turns: { researcher: 2, developer: 1, reviewer: 1 },
  },
  {
    story: 'dev',
    what: 'developer in its first round',
    scenarios: { developer: turns(`${CRASH}, ${work('dev')}`) },
    turns: { researcher: 1, developer: 2, reviewer: 1 },
  },
  {
    story: 'rev',
    what: 'reviewer in its first round',
    scenarios: { reviewer: turns(`${CRASH}, ${LEAVE}`) },
    turns: { researcher: 1, developer: 1, reviewer: 2 },
  },
  {
    story: 'dev-r2',
    what: 'developer in its second round',
    scenarios: { reviewer: eachTurn(remarks(1)), developer: turns(work('dev-r2'), `${CRASH}, ${work('dev-r2')}`) },
    turns: { researcher: 1, developer: 3, reviewer: 2 },
  },
  {
    story: 'rev-r2',
    what: 'reviewer in its second round',
    scenarios: { reviewer: turns(remarks(1), `${CRASH}, ${LEAVE}`) },
    turns: { researcher: 1, developer: 2, reviewer: 3 },
  },
];

describe.concurrent('a crash of an agent at work', () => {
  // test/crash/random-kills.test.ts kills the agents of each role in each run.
  const rows = rowsOfThisRun(AT_WORK, ({ story }) => story === 'dev-r2');
  test.for(rows)('of the $what: the turn is tried again, and no other', async ({ story, scenarios, turns: expected }) => {
    const swarm = new Swarm(world, story, scenarios);
    expect(await swarm.play()).toMatchObject({ status: 'waiting', degradation_level: 'full', questions: [] });
    expect(swarm.turns()).toEqual(expected);
    const codes = world.rows(z.object({ code: z.string() }), 'SELECT code FROM error_log WHERE run = ?', swarm.run);
    expect(codes).toEqual([{ code: 'AGENT_CRASHED' }]);
    await swarm.lands();
  });
});

describe.concurrent('a crash of an agent that waits', () => {
  // In each run: the crash in the second round above.
  testOfFullRun('of the developer during the review: its remarks reach it all the same, and it lands', async () => {
    const flag = join(world.dir, 'go-on');
    const waits = `{run: "while [ ! -e '${flag}' ]; do sleep 0.1; done"}`;
    const swarm = new Swarm(world, 'idle', { reviewer: turns(`${waits}, ${remarks(1)}`) });
    const played = swarm.play();
    await until('the review', async () => swarm.turns().reviewer === 1, 240_000);
    await kill('idle-1-developer');
    writeFileSync(flag, '');
    expect(await played).toMatchObject({ status: 'waiting', degradation_level: 'full', questions: [] });
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 2, reviewer: 2 });
    await swarm.lands();
  });

  test('of the developer before the review of a person: it gets the feedback, and its new work lands', async () => {
    const swarm = new Swarm(world, 'offered');
    expect(await swarm.play()).toMatchObject({ status: 'waiting' });
    await kill('offered-1-developer');
    await world.ok('review', 'offered-1-developer');
    await world.ok('reject', '--worker', 'offered-1-developer', 'Name the sea');
    await until('another turn', async () => swarm.turns().developer === 2, 240_000);
    await world.ok('wait', 'offered-1-developer', '--for', 'needs_review', '--timeout', '4m');
    await swarm.lands();
    expect(await world.git('show', 'main:llmc-demo/offered-1-developer.md')).toContain('Name the sea');
  });
});

describe.concurrent('a role without an agent', () => {
  // The reviewer and the developer are below; the answer of the person is in src/workflow/next/next.test.ts in each run.
  testOfFullRun('researcher: a person is asked, and the run goes on without it', async () => {
    const swarm = new Swarm(world, 'no-res', { researcher: ALWAYS });
    expect(await swarm.play()).toMatchObject({ status: 'waiting', questions: [{ type: 'unavailable' }] });
    await world.ok('decide', swarm.run, 'skip');
    const shown = await untilOffered(swarm);
    expect([stateOf(shown, 'research'), stateOf(shown, 'develop'), stateOf(shown, 'review')]).toEqual(['skipped', 'done', 'done']);
    expect(shown.degradation_level).toBe('reduced');
    await swarm.lands();
  });

  test('reviewer: the work is not verified, and the run says so', async () => {
    const swarm = new Swarm(world, 'no-rev', { reviewer: ALWAYS });
    const shown = await swarm.play();
    expect([shown.status, stateOf(shown, 'review'), marksOf(shown, 'review')]).toEqual(['waiting', 'skipped', ['unverified']]);
    expect(shown.warnings.join()).toContain('not verified');
    expect(shown.losses).toMatchObject([{ step: 'review', mitigation: 'develop is marked unverified' }]);
    for (const verb of ['show', 'why', 'report']) expect(await world.ok(verb, swarm.run)).toContain('Impact of review: ');
    await swarm.lands();
  });

  test('developer: the run ends, and keeps what the researcher found', async () => {
    const swarm = new Swarm(world, 'no-dev', { developer: ALWAYS });
    const shown = await swarm.play();
    expect([shown.status, stateOf(shown, 'research'), stateOf(shown, 'land')]).toEqual(['failed', 'done', 'skipped']);
    expect(await world.ok('report', swarm.run)).toContain('findings.md');
    expect(await world.git('log', '--format=%s', 'main', '--', 'llmc-demo/no-dev-1-developer.md')).toBe('');
  });

  // Both are in every run in their first round.
  const inRound2 = rowsOfThisRun(
    [
      ['developer', 'review of your work'],
      ['reviewer', 'This is round 2'],
    ] as const,
    () => false,
  );

  test.for(inRound2)('%s, from the second round on: what was there before is kept', async ([role, prompt]) => {
    const story = `gone-${role.slice(0, 3)}`;
    const both = (gone: boolean, steps: string) =>
      `turns: [${gone ? `{when: ${prompt}, steps: [${CRASHES}]}, ` : ''}{when: ., steps: [${steps}]}]`;
    const swarm = new Swarm(world, story, {
      developer: both(role === 'developer', work(story)),
      reviewer: both(role === 'reviewer', remarks(9)),
    });
    const shown = await swarm.play();
    const commit = await world.gitIn(world.root, 'rev-parse', '--verify', `refs/llmc/runs/${swarm.run}/develop`);
    if (role === 'developer') {
      expect([shown.status, stateOf(shown, 'develop'), stateOf(shown, 'land')]).toEqual(['failed', 'failed', 'skipped']);
      expect(await world.gitIn(world.root, 'show', `${commit}:llmc-demo/${swarm.worker('developer')}.md`)).toBe(TASK);
    } else {
      expect([shown.status, stateOf(shown, 'review'), marksOf(shown, 'review')]).toEqual(['waiting', 'skipped', ['unverified']]);
      await swarm.lands();
    }
  });
});

describe.concurrent('a result that is not usable', () => {
  const BAD = ['link', 'missing', 'broken', 'wrong', 'binary', 'huge', 'folder', 'pipe'] as const;
  // The others are rows of src/workflow/perform/exchange.test.ts and check-file.test.ts.
  const rows = rowsOfThisRun(BAD, (bad) => bad === 'link');
  test.for(rows)('%s: the agent is told, and the run goes on', async (bad) => {
    const swarm = new Swarm(world, bad, { reviewer: turns(`{leave: {bad: ${bad}}}`) });
    expect(await swarm.play()).toMatchObject({ status: 'waiting', degradation_level: 'full', questions: [] });
    expect(swarm.turns()).toEqual({ researcher: 1, developer: 1, reviewer: 2 });
    expect(await world.ok('report', swarm.run)).toContain('AGENT_INVALID_OUTPUT');
  });

  // src/workflow/engine/engine.test.ts has it in every run.
  test.for(rowsOfThisRun(['link'], () => false))('%s, also after the agent was told twice: a person is asked', async (bad) => {
    const swarm = new Swarm(world, 'never', { researcher: eachTurn(`{leave: {bad: ${bad}}}`) });
    expect(await swarm.play()).toMatchObject({ status: 'waiting', questions: [{ number: 1 }] });
    expect(swarm.turns()).toEqual({ researcher: 3 });
  });
});

test('a run ends at its timeout, and keeps what is there', async () => {
  await world.run(['wait', late.run, '--for', 'failed', '--timeout', '4m']);
  const shown = await late.show();
  expect(shown).toMatchObject({ status: 'failed', error: { code: 'WORKFLOW_TIMEOUT' } });
  expect(stateOf(shown, 'research')).toBe('done');
});

test('a usage limit is waited for without counting it', async () => {
  expect(await untilOffered(limited)).toMatchObject({ status: 'waiting', degradation_level: 'full', error: null });
  expect(limited.turns()).toEqual({ researcher: 2, developer: 1, reviewer: 1 });
  await limited.lands();
});

async function untilOffered(swarm: Swarm): Promise<View> {
  await until('the landing', async () => stateOf(await swarm.show(), 'land') === 'working', 240_000);
  return await swarm.show();
}
