import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { Pipeline, pipelineWorld, stateOf, type View } from './pipeline-world.ts';

/**
 * Short times, which are still longer than a loaded machine takes to start an agent and to notice that it works. The time for a start is
 * over long before the agent at work is done.
 */
const QUICK = `nudge_timeout_secs = 5
start_timeout_secs = 35
answers.timeout = { option = "extend", after_secs = 30 }
`;

let world: World;
beforeAll(async () => {
  world = await pipelineWorld(QUICK);
});
afterAll(async () => await world[Symbol.asyncDispose]());

/** A person is asked about the stage, after more time was given by itself. */
const isAskedAgain = (view: View, stage: string) => {
  const { state, marks } = stateOf(view, stage) ?? {};
  return state === 'asking' && marks?.includes('by default: extend') === true;
};
const log = async (pipeline: Pipeline) => await world.ok('logs', pipeline.run);
const codes = async (pipeline: Pipeline) => (await pipeline.report()).errors.map(({ code, where }) => `${code} ${where}`);

describe.concurrent('an agent that takes longer than its stage may', () => {
  test('and is at work goes on, whatever is decided about its time: it gets its prompt once', async () => {
    const pipeline = Pipeline.define(
      world,
      'busy',
      `roles: { writer: {} }
stages:
  - { id: nudged, role: writer, needs: [], output: nudged.md, timeout: 8s, prompt: Write. }
  - { id: asked, role: writer, needs: [], output: asked.md, timeout: 4s, on_failure: { timeout: ask }, prompt: Write. }
`,
    );
    // Something new on the screen all the time, longer than everything that is decided about it takes.
    const working = Array.from({ length: 120 }, (_, line) => [{ say: `line ${line}` }, { take: 0.5 }]).flat();
    const steps = (file: string) => ({ when: '.', steps: [{ run: pipeline.note(file) }, ...working, { leave: file }] });
    pipeline.play('writer', steps('nudged.md')).play('writer-2', steps('asked.md'));
    await pipeline.start();
    // Nobody answers the first question: more time is given by itself, and then a person is asked again.
    await until('the next question about the time', async () => isAskedAgain(await pipeline.show(), 'asked'), 120_000);
    const { questions } = await pipeline.show();
    const asked = questions.find(({ stage }) => stage === 'asked');
    expect(asked).toMatchObject({ type: 'timeout', options: ['extend', 'restart', 'skip', 'abort'] });
    await world.ok('decide', `${pipeline.run}#${asked?.number}`, 'extend');
    const view = await pipeline.wait('done,failed');
    expect([view.status, stateOf(view, 'nudged')?.state, stateOf(view, 'asked')?.state]).toEqual(['done', 'done', 'done']);
    expect([pipeline.noted('nudged.md'), pipeline.noted('asked.md')]).toEqual([1, 1]);
    expect(new Set(await codes(pipeline))).toEqual(new Set(['AGENT_TIMEOUT nudged', 'AGENT_TIMEOUT asked']));
    const said = await log(pipeline);
    expect(said).toContain('writer is at work: it has 4s more');
    expect(said).toContain('writer-2 goes on: it has 2s more');
  });

  test('and shows nothing in its turn is asked how far it is, and its answer is waited for', async () => {
    const stage = '  - { id: hung, role: writer, output: hung.md, timeout: 8s, prompt: Write. }\n';
    const pipeline = Pipeline.define(world, 'quiet', `roles: { writer: {} }\nstages:\n${stage}`);
    // It hangs until it is interrupted, and goes on where it was when it is asked.
    const steps = [{ run: pipeline.note('began') }, { misbehave: 'stall' }, { run: pipeline.note('went on') }, { leave: 'hung.md' }];
    await pipeline.play('writer', { when: '.', steps }).start();
    expect((await pipeline.wait('done,failed')).status).toBe('done');
    expect([pipeline.noted('began'), pipeline.noted('went on')]).toEqual([1, 1]);
    expect(await codes(pipeline)).toEqual(['AGENT_TIMEOUT hung', 'AGENT_TIMEOUT hung']);
  });
});
