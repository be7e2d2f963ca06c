import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commitsOf, deliveriesOf, historyOf, promptsGiven, reaches, story, tasksGiven } from '../support/agent-side.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { AFTER_LIMIT_PROMPT } from '../support/prompts.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const lifted = z.object({ account: z.string(), workers: z.array(z.string()), by_themselves: z.array(z.string()) });

/** A turn that a usage limit stops half-way. */
const limited = (more: string): string =>
  `turns: [{ steps: [{ edit: { path: half.md, append: "One half\\n" } }, { fail: { type: rate_limit, message: You have reached your limit, ${more} } }, { edit: { path: half.md, append: "The other\\n" } }, { commit: Both halves }] }]`;

/** Two accounts in one root, for two agents that extend the demo agent. */
const ACCOUNTS = `
[agents.first]
extends = "demo"
account = "one"
fallback = "second"
[agents.second]
extends = "demo"
account = "two"
`;

async function limitWorld(scenario: Readonly<Record<string, string>>, agents: Readonly<Record<string, string>>): Promise<World> {
  const world = await llmcWorld({ scenario, config: ACCOUNTS });
  try {
    await Promise.all(Object.entries(agents).map(([worker, agent]) => world.ok('add', worker, '--agent', agent)));
    await until('every worker to be idle', async () => (await world.status()).workers.every(({ status }) => status === 'idle'));
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** Starts the worker's task, and waits until the limit of its account is recorded. The limit may be over by then. */
async function strike(world: World, worker: string): Promise<void> {
  await world.ok('start', '--worker', worker, '--prompt', 'Do both halves');
  await until(`the limit of ${worker} to be recorded`, async () => historyOf(world, worker, 'limit').length > 0);
}

const kept = z.object({ limits: z.record(z.string(), z.object({ until_ms: z.number() })) });

/** The end of the last limit of an account, even after that time. */
function endOf(world: World, account: string): number {
  const { limits } = kept.parse(JSON.parse(readFileSync(join(world.root, 'state.json'), 'utf8')));
  return limits[account]?.until_ms ?? Number.POSITIVE_INFINITY;
}

const PROMPTS_OF_ONE_LIMIT = ['Do both halves', AFTER_LIMIT_PROMPT];

// Run side by side: these tests mostly wait for a limit to end.
describe.concurrent('a usage limit', () => {
  test('stops every worker of the account and no other worker', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 1h') }, { adam: 'first', baker: 'first', eve: 'second' });
    await strike(world, 'adam');
    expect((await world.status()).limits).toMatchObject([
      { account: 'one', worker: 'adam', why: 'You have reached your limit', continues_by_itself: false },
    ]);
    expect(await world.worker('adam')).toMatchObject({ status: 'working', activity: { kind: 'waiting_limit' }, attention: null });
    expect((await world.worker('adam')).waiting).toMatch(/^waiting for the usage limit of one until (\w+ \d+, )?\d\d:\d\d(:\d\d)?$/);

    const held = await world.ok('start', '--worker', 'baker', '--prompt', 'Wait for it');
    expect(held).toMatch(
      /Queued for baker: waiting for the usage limit of one until .*\d\d:\d\d(:\d\d)?\. llmc delivers it when that ends/,
    );
    expect(await world.ok('status')).toMatch(/usage limit of one until .*llmc unpark one/);
    expect(await world.ok('why', 'baker')).toContain('usage limit of one until');
    await world.ok('start', '--worker', 'eve', '--prompt', 'Not my limit', '--wait', '--timeout', '90s');
    expect(await world.worker('eve')).toMatchObject({ status: 'needs_review', waiting: null });
    expect([...tasksGiven(world, 'adam'), ...tasksGiven(world, 'baker')]).toEqual(['Do both halves']);
  });

  test('that resets: the stopped task continues once without a person, and the held prompt is delivered', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 12s') }, { adam: 'first', baker: 'first' });
    await strike(world, 'adam');
    await world.ok('start', '--worker', 'baker', '--prompt', 'Wait for it');
    await reaches(world, 'adam', 'needs_review');
    await reaches(world, 'baker', 'needs_review');
    expect(tasksGiven(world, 'adam')).toEqual(PROMPTS_OF_ONE_LIMIT);
    expect(tasksGiven(world, 'baker')).toEqual(['Wait for it']);
    expect(await commitsOf(world, 'adam')).toEqual(['Both halves']);
    const sent = [...deliveriesOf(world, 'adam').slice(1), ...deliveriesOf(world, 'baker')].map(({ typed_ms }) => typed_ms ?? 0);
    expect(
      sent.filter((at) => at < endOf(world, 'one')),
      story(world, 'adam'),
    ).toEqual([]);
    expect((await world.status()).limits).toEqual([]);
    expect(await world.ok('logs')).toContain('the usage limit of one is over: it has reset');
  });

  test('needs no prompt to continue for an agent that continues by itself', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 10s, continues: true') }, { adam: 'first' });
    await strike(world, 'adam');
    await until('the banner to be read', async () => (await world.status()).limits.every((limit) => limit.continues_by_itself));
    await reaches(world, 'adam', 'needs_review');
    expect(promptsGiven(world, 'adam').slice(1)).toEqual(['The usage limit has reset. Continue where you left off.']);
    expect(deliveriesOf(world, 'adam')).toMatchObject([{ purpose: 'task', state: 'done' }]);
    expect(await commitsOf(world, 'adam')).toEqual(['Both halves']);
  });

  // The test above has such an agent, and the one of a limit that a person lifts has unpark.
  testOfFullRun('lifted for an agent that continues by itself: unpark reports that this agent keeps waiting', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 1h, continues: true') }, { adam: 'first', baker: 'first' });
    await strike(world, 'adam');
    await until('the banner to be read', async () => (await world.status()).limits.every((limit) => limit.continues_by_itself));
    expect(await world.json(lifted, 'unpark', 'one')).toEqual({ account: 'one', workers: ['baker'], by_themselves: ['adam'] });
    await world.ok('start', '--worker', 'baker', '--prompt', 'Now', '--wait', '--timeout', '90s');
    expect(tasksGiven(world, 'adam')).toEqual(['Do both halves']);
  });

  // test/crash/limits.test.ts kills the supervisor at a limit in each run.
  testOfFullRun('survives a killed supervisor and restarted agents; the task continues once', async () => {
    await using world = await limitWorld(
      { adam: limited('resets_in: 1h'), eve: limited('resets_in: 1h') },
      { adam: 'first', eve: 'second' },
    );
    await strike(world, 'adam');
    await strike(world, 'eve');
    const before = (await world.status()).limits;
    expect(before.map(({ account }) => account)).toEqual(['one', 'two']);
    await world.killSupervisor();
    expect(await world.status()).toMatchObject({ supervisor: { running: false }, limits: before });
    await world.comeUp();
    expect((await world.status()).limits).toEqual(before);
    await world.ok('down');
    await world.comeUp();
    expect((await world.status()).limits).toEqual(before);
    expect((await world.worker('adam')).delivery).toMatchObject({ state: 'held' });

    for (const [worker, account] of [
      ['adam', 'one'],
      ['eve', 'two'],
    ] as const) {
      await world.ok('unpark', account);
      await reaches(world, worker, 'needs_review');
      expect(await commitsOf(world, worker)).toEqual(['Both halves']);
      expect(promptsGiven(world, worker), account).toHaveLength(2);
    }
    expect(deliveriesOf(world, 'adam').map(({ purpose, state }) => [purpose, state])).toEqual([
      ['task', 'done'],
      ['continue', 'done'],
    ]);
  });

  // test/sim/limits.test.ts has limits that strike again in each run.
  testOfFullRun('that strikes again parks the account again', async () => {
    const twice = limited('resets_in: 3s').replace(
      '{ edit: { path: half.md, append: "The other\\n" } }',
      '{ fail: { type: rate_limit, message: And once more, resets_in: 3s } }',
    );
    await using world = await limitWorld({ adam: twice }, { adam: 'first' });
    await strike(world, 'adam');
    await reaches(world, 'adam', 'needs_review');
    expect(promptsGiven(world, 'adam').slice(1)).toEqual([AFTER_LIMIT_PROMPT, AFTER_LIMIT_PROMPT]);
    expect(historyOf(world, 'adam', 'limit').map(({ summary }) => /\((.*?)\)/.exec(summary)?.[1])).toEqual([
      'You have reached your limit',
      'And once more',
    ]);
  });

  test('can be lifted by a person: earlier reports of it no longer count', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 1h') }, { adam: 'first', baker: 'first' });
    await strike(world, 'adam');
    await world.ok('message', 'baker', 'Read this when you may');
    expect(await world.refused(['unpark', 'two'])).toMatchObject({ code: 'INVALID_ARGUMENT', hint: 'These do: one.' });
    expect(await world.json(lifted, 'unpark', 'one')).toEqual({ account: 'one', workers: ['adam', 'baker'], by_themselves: [] });
    expect((await world.status()).limits).toEqual([]);
    await reaches(world, 'adam', 'needs_review');
    await until('the message to arrive', async () => promptsGiven(world, 'baker').length > 0);
    expect(tasksGiven(world, 'adam')).toEqual(PROMPTS_OF_ONE_LIMIT);
    expect(await world.refused(['unpark', 'one'])).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: '"one" does not wait for a usage limit',
    });
  });

  test('starts the fallback in a waiting worker for a new task; the worker’s own agent comes back with the next task', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 1h') }, { adam: 'first', baker: 'first' });
    await strike(world, 'adam');
    await world.ok('start', '--prompt', 'For any free worker', '--wait', '--timeout', '90s');
    expect(await world.worker('baker')).toMatchObject({ status: 'needs_review', agent: 'second', current_prompt: 'For any free worker' });
    expect(tasksGiven(world, 'baker')).toEqual(['For any free worker']);
    expect(tasksGiven(world, 'adam')).toEqual(['Do both halves']);
    expect(historyOf(world, 'baker', 'agent').map(({ summary }) => summary)).toContain(
      'second stands in for first, which waits for a usage limit',
    );

    await world.ok('accept', 'baker');
    await world.ok('unpark', 'one');
    await world.ok('start', '--worker', 'baker', '--prompt', 'As always', '--wait', '--timeout', '90s');
    expect(await world.worker('baker')).toMatchObject({ status: 'needs_review', agent: 'first' });
  });

  test('without a fallback: a task is refused with the time, or waits in the queue until the limit is over', async () => {
    await using world = await limitWorld({ adam: limited('resets_in: 1h') }, { adam: 'second', baker: 'second' });
    await strike(world, 'adam');
    const refusal = await world.refused(['start', '--prompt', 'Now']);
    expect(refusal).toMatchObject({ status: 2, code: 'RATE_LIMITED', hint: expect.stringContaining('--queue') });
    expect(refusal.message).toMatch(/waiting for the usage limit of two until .*\d\d:\d\d(:\d\d)?$/);
    const log = join(world.dir, 'queued.log');
    const queued = world.shell(`exec "$@" start --prompt 'In line' --queue --wait --timeout 120s 2>'${log}'`);
    await until('the task to wait', async () => existsSync(log) && readFileSync(log, 'utf8').includes('usage limit of two'));
    expect(tasksGiven(world, 'baker')).toEqual([]);
    await world.ok('unpark', 'two');
    expect(await queued).toMatchObject({ status: 0 });
    expect(tasksGiven(world, 'baker')).toEqual(['In line']);
  });

  test('is not the same as an overloaded service or a refused login, which concern one worker', async () => {
    const failing = (type: string) => `turns: [{ steps: [{ fail: { type: ${type}, message: No } }] }]`;
    await using world = await limitWorld(
      { adam: failing('overloaded'), eve: failing('auth'), bob: failing('billing') },
      { adam: 'first', eve: 'first', bob: 'first', baker: 'first' },
    );
    await Promise.all(['adam', 'eve', 'bob'].map((worker) => world.ok('start', '--worker', worker, '--prompt', 'Go')));
    await until('adam to wait for its next attempt', async () => (await world.worker('adam')).waiting_kind === 'failed_turn');
    await reaches(world, 'eve', 'error');
    await reaches(world, 'bob', 'error');
    expect((await world.status()).limits).toEqual([]);
    expect((await world.worker('eve')).attention).toMatch(/log in/i);
    expect((await world.worker('bob')).attention).toMatch(/pay/i);
    await world.ok('start', '--prompt', 'Carry on', '--wait', '--timeout', '90s');
    expect(await world.worker('baker')).toMatchObject({ status: 'needs_review' });
  });
});
