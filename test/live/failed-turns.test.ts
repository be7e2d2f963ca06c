import { describe, expect, test } from 'vitest';
import { makeLayout } from '../../src/store/layout.ts';
import type { Worker } from '../../src/store/state.ts';
import { Store } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { commitsOf, deliveriesOf, historyOf, promptsGiven, reaches, story, tasksGiven } from '../support/agent-side.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { AFTER_FAILURE_PROMPT } from '../support/prompts.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const fail = (type: string) => `{ fail: { type: ${type}, message: The service says no } }`;

/** A task that these failures interrupt. */
const interrupted = (...failures: readonly string[]): string =>
  `turns: [{ steps: [{ edit: { path: half.md, append: "One half\\n" } }, ${failures.join(', ')}, { edit: { path: half.md, append: "The other\\n" } }, { commit: Both halves }] }]`;

const recovery = (backoffSecs: readonly number[], contextFull = 'ask'): string =>
  `[recovery]\nfailed_turn_backoff_secs = [${backoffSecs.join(', ')}]\nbackoff_jitter = 0\ncontext_full = "${contextFull}"\n`;

async function failingWorld(scenario: Readonly<Record<string, string>>, config: string): Promise<World> {
  const world = await llmcWorld({ scenario, config });
  try {
    await Promise.all(Object.keys(scenario).map((worker) => world.ok('add', worker)));
    await until('every worker to be idle', async () => (await world.status()).workers.every(({ status }) => status === 'idle'));
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

const start = (world: World, worker: string) => world.ok('start', '--worker', worker, '--prompt', 'Do both halves');
const waitsToContinue = (world: World, worker: string) =>
  until(`${worker} to wait after its failed turn`, async () => (await world.worker(worker)).waiting !== null);

/** Lets the wait after a failed turn be over, as if its time had come. Call it without a supervisor. */
function endWait(world: World, worker: string): void {
  using store = new Store(makeLayout(world.root), systemClock);
  const change = ({ failed_turn }: Worker) => Object.assign(failed_turn ?? {}, { until_ms: Date.now() });
  store.changeWorker(worker, { kind: 'test', summary: 'the wait is over', change });
}

describe.concurrent('a failed turn', () => {
  test('is continued in its conversation after each wait, until it ends well', async () => {
    await using world = await failingWorld({ adam: interrupted(fail('overloaded'), fail('network')) }, recovery([3, 4]));
    await start(world, 'adam');
    await reaches(world, 'adam', 'needs_review');
    expect(tasksGiven(world, 'adam')).toEqual(['Do both halves', AFTER_FAILURE_PROMPT, AFTER_FAILURE_PROMPT]);
    expect(await commitsOf(world, 'adam')).toEqual(['Both halves']);
    expect(historyOf(world, 'adam', 'failed_turn').map(({ summary }) => summary.replace(/at .*\d\d:\d\d(:\d\d)?/, 'at …'))).toEqual([
      'failed turn (the service is overloaded), continues at …, attempt 1 of 2: The service says no',
      'failed turn (the network failed), continues at …, attempt 2 of 2: The service says no',
    ]);
    const [task, first, second] = deliveriesOf(world, 'adam');
    expect((first?.typed_ms ?? 0) - (task?.acked_ms ?? 0), story(world, 'adam')).toBeGreaterThanOrEqual(3_000);
    expect((second?.typed_ms ?? 0) - (first?.acked_ms ?? 0)).toBeGreaterThanOrEqual(4_000);
  });

  test('calls a person when every attempt has failed', async () => {
    await using world = await failingWorld({ bob: interrupted(fail('api'), fail('api'), fail('api')) }, recovery([1, 1]));
    await start(world, 'bob');
    await reaches(world, 'bob', 'needs_input');
    expect((await world.worker('bob')).attention).toBe(
      'The turn failed after 2 attempts to continue, the service failed: The service says no. Continue with: llmc message bob "continue"',
    );
    await world.ok('message', 'bob', 'continue');
    await reaches(world, 'bob', 'needs_review');
    expect(await commitsOf(world, 'bob')).toEqual(['Both halves']);
  });

  test('keeps its time and its attempt when the supervisor is killed, and is continued once', async () => {
    // Longer than the test, on any machine; the test ends the wait itself.
    await using world = await failingWorld({ eve: interrupted(fail('overloaded')) }, recovery([3_600]));
    await start(world, 'eve');
    await waitsToContinue(world, 'eve');
    const { waiting, ...eve } = await world.worker('eve');
    expect(eve).toMatchObject({ status: 'working', attention: null, waiting_kind: 'failed_turn' });
    expect(waiting).toMatch(/^failed turn \(the service is overloaded\), continues at (\w+ \d+, )?\d\d:\d\d(:\d\d)?, attempt 1 of 1$/);
    await world.killSupervisor();
    await world.comeUp();
    expect(await world.worker('eve')).toMatchObject({ status: 'working', waiting });
    expect(await world.ok('why', 'eve')).toContain('After a failed turn (the service is overloaded), continues at');
    expect(tasksGiven(world, 'eve')).toEqual(['Do both halves']);
    await world.killSupervisor();
    endWait(world, 'eve');
    await world.comeUp();
    await reaches(world, 'eve', 'needs_review');
    expect(tasksGiven(world, 'eve')).toEqual(['Do both halves', AFTER_FAILURE_PROMPT]);
  });

  // In each run in src/supervisor/failures/handle-failed-turn.test.ts: is not planned again behind the message of a person.
  testOfFullRun('is not continued twice when a person sends a message during the wait', async () => {
    await using world = await failingWorld({ kim: interrupted(fail('overloaded')) }, recovery([600]));
    await start(world, 'kim');
    await waitsToContinue(world, 'kim');
    await world.ok('message', 'kim', 'continue');
    await reaches(world, 'kim', 'needs_review');
    expect(tasksGiven(world, 'kim')).toEqual(['Do both halves', 'continue']);
  });

  // The test above kills the supervisor during the wait, and test/live/crashes.test.ts the agent.
  testOfFullRun('goes on after a crash of the agent during the wait, without a lost or a doubled step', async () => {
    await using world = await failingWorld({ sue: interrupted(fail('overloaded')) }, recovery([600]));
    await start(world, 'sue');
    await waitsToContinue(world, 'sue');
    process.kill(await world.panePid('sue'), 'SIGKILL');
    await reaches(world, 'sue', 'needs_review');
    expect(await commitsOf(world, 'sue')).toEqual(['Both halves']);
    expect(promptsGiven(world, 'sue')).toHaveLength(2);
  });
});

describe.concurrent('a full conversation', () => {
  test('calls a person, who lets the CLI compact it', async () => {
    await using world = await failingWorld({ adam: interrupted(fail('context_full')) }, recovery([1]));
    await start(world, 'adam');
    await reaches(world, 'adam', 'error');
    expect((await world.worker('adam')).attention).toMatch(/llmc message adam --compact; or .*: llmc message adam --fresh$/);
    await world.ok('message', 'adam', '--compact');
    await reaches(world, 'adam', 'needs_review');
    expect(deliveriesOf(world, 'adam').map(({ purpose, state }) => [purpose, state])).toEqual([
      ['task', 'done'],
      ['compact', 'done'],
      ['message', 'done'],
    ]);
    expect(await commitsOf(world, 'adam')).toEqual(['Both halves']);
  });

  test('is compacted without a person where config.toml says so', async () => {
    await using world = await failingWorld({ bob: interrupted(fail('context_full')) }, recovery([1], 'compact'));
    await start(world, 'bob');
    await reaches(world, 'bob', 'needs_review');
    expect(deliveriesOf(world, 'bob').map(({ purpose }) => purpose)).toEqual(['task', 'compact', 'continue']);
    expect(await commitsOf(world, 'bob')).toEqual(['Both halves']);
  });

  // In each run in src/supervisor/failures/handle-failed-turn.test.ts, with the other choices of config.toml.
  testOfFullRun('is replaced by a new one with the task where config.toml says so', async () => {
    await using world = await failingWorld({ eve: `turns: [{ steps: [${fail('context_full')}] }]` }, recovery([1], 'fresh'));
    await start(world, 'eve');
    await reaches(world, 'eve', 'needs_review');
    expect(tasksGiven(world, 'eve')).toEqual(['Do both halves', 'Do both halves']);
    expect(historyOf(world, 'eve', 'delivery').map(({ summary }) => summary)).toContainEqual(
      expect.stringContaining('clearing the conversation'),
    );
  });
});
