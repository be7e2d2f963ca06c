import { describe, expect, test } from 'vitest';
import { commitsOf, deliveriesOf, historyOf, reaches } from '../support/agent-side.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

/** Quick rungs, far enough apart for a loaded machine: the question shows on the screen within half of the time to the next one. */
const QUICK = '[recovery]\nstuck_secs = [8, 16, 24, 32]\n';

async function quietWorld(scenario: Readonly<Record<string, string>>): Promise<World> {
  const world = await llmcWorld({ scenario, config: QUICK });
  try {
    await Promise.all(Object.keys(scenario).map((worker) => world.ok('add', worker)));
    await until('every worker to be idle', async () => (await world.status()).workers.every(({ status }) => status === 'idle'));
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

const start = (world: World, worker: string) => world.ok('start', '--worker', worker, '--prompt', 'Do it');
const rungs = (world: World, worker: string) => historyOf(world, worker, 'stuck').map(({ summary }) => summary);

describe.concurrent('an agent in a turn without progress', () => {
  test('that stalls again after each question is asked twice; then a person is called and may interrupt it', async () => {
    await using world = await quietWorld({
      adam: 'turns: [{ when: Begin, steps: [{ edit: { path: late.md, content: late } }, { commit: Late }] }, { when: Do it, steps: [{ misbehave: stall }, { misbehave: stall }, { misbehave: stall }] }]',
    });
    await start(world, 'adam');
    await until('the first status check', async () => rungs(world, 'adam').length > 0);
    expect(await world.ok('why', 'adam')).toMatch(/No sign of progress since .*It was asked for its status/s);
    await reaches(world, 'adam', 'needs_input');
    expect(rungs(world, 'adam')).toEqual([
      'first status check: it shows no progress',
      'checked for an answer: no answer and no commit',
      'second status check: it has not answered the first question',
    ]);
    expect(deliveriesOf(world, 'adam').map(({ purpose }) => purpose)).toEqual(['task', 'nudge', 'nudge']);
    expect(await world.worker('adam')).toMatchObject({
      attention_kind: 'stuck',
      attention: expect.stringContaining('llmc message adam --now'),
    });
    await world.ok('message', 'adam', '--now', 'Begin something else');
    await reaches(world, 'adam', 'needs_review');
    expect(await commitsOf(world, 'adam')).toEqual(['Late']);
  });

  // In each run in src/supervisor/failures/handle-stuck.test.ts: an agent whose tool hangs is asked. The test above is asked twice.
  testOfFullRun('whose command hangs continues after the first question', async () => {
    const hangs = `{ run: '[ -e ~/asked ] || { touch ~/asked; exec sleep 3600; }' }`;
    await using world = await quietWorld({
      bob: `turns: [{ steps: [${hangs}, { edit: { path: a.md, content: "a\\n" } }, { commit: Done }] }]`,
    });
    await start(world, 'bob');
    await reaches(world, 'bob', 'needs_review');
    expect(rungs(world, 'bob')[0]).toBe('first status check: it shows no progress');
    expect(deliveriesOf(world, 'bob').map(({ purpose, state }) => [purpose, state])).toEqual([
      ['task', 'done'],
      ['nudge', 'done'],
    ]);
    expect(await commitsOf(world, 'bob')).toEqual(['Done']);
  });

  test('that ignores the interrupt gets no question, which is withdrawn when a person is called', async () => {
    await using world = await quietWorld({ eve: 'turns: [{ misbehave: [ignore_interrupt], steps: [{ say: hm }, { misbehave: stall }] }]' });
    await start(world, 'eve');
    await reaches(world, 'eve', 'needs_input');
    expect(deliveriesOf(world, 'eve')).toMatchObject([{ purpose: 'task' }, { purpose: 'nudge', state: 'failed', typed_ms: null }]);
    expect(rungs(world, 'eve').at(-1)).toContain('the first one still waits');
    // Nothing changes, so it stays with the person.
    expect(await world.worker('eve')).toMatchObject({ status: 'needs_input', attention_kind: 'stuck' });
  });
});
