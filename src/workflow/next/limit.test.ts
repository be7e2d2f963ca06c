import { expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { Story, swarmPlan, work } from './samples.ts';

const HOUR = 3_600_000;

/** The developer is at work in the first of two stages. */
function atWork(fallback: string | undefined): Story {
  const { developer, ...roles } = swarmPlan().roles;
  if (developer === undefined) throw new Error('the sample has a developer');
  const stages = [
    work('develop', 'developer', { onFailure: { network: { after: 1, steps: [{ kind: 'retry' }] } } }),
    work('more', 'developer', { needs: ['develop'] }),
  ];
  const story = new Story({ ...swarmPlan(), roles: { ...roles, developer: { ...developer, fallback } }, stages });
  return story.tell({ kind: 'started', action: story.action('develop') });
}

const limit = (story: Story, ms: number | null) =>
  story.tell({ kind: 'parked', action: story.action('develop'), limit: { untilMs: ms === null ? null : story.at + ms } });
const last = (story: Story) => story.actions.at(-1)?.task;
const tries = (story: Story) => story.actions.filter(({ task }) => task.kind === 'attempt').length;

test.each([
  ['for hours', 5 * HOUR],
  ['for an unknown time', null],
])('at a usage limit %s, the fallback goes on at once', (_, ms) => {
  const story = limit(atWork('codex'), ms);
  expect(last(story)).toMatchObject({ kind: 'attempt', agent: 'fallback', session: '-codex', conversation: 'fresh' });
  expect(last(story)).toMatchObject({ prompt: expect.stringContaining('Another agent began this task') });
  expect(story.run.steps.develop).toMatchObject({ failures: {}, tries: 1 });
  expect(story.records).toContainEqual({ kind: 'error', error: expect.objectContaining({ code: 'RATE_LIMITED', strategy: 'substitute' }) });
});

test.each([
  ['without a fallback', undefined, 5 * HOUR],
  ['that ends within two minutes', 'codex', 60_000],
])('at a usage limit %s, the agent waits, and its time stands still', (_, fallback, ms) => {
  const story = limit(atWork(fallback), ms).tick(4 * HOUR + 1);
  expect(tries(story)).toBe(1);
  expect(story.run.steps.develop?.state).toMatchObject({ kind: 'working', deadline: { leftMs: expect.any(Number) } });
});

test('an agent that waits because llmc goes down is not replaced', () => {
  const story = atWork('codex');
  story.tell({ kind: 'parked', action: story.action('develop') });
  expect(tries(story)).toBe(1);
});

test('a fallback at its own limit waits', () => {
  const story = limit(atWork('codex'), 5 * HOUR);
  limit(story.tell({ kind: 'started', action: story.action('develop') }), 5 * HOUR);
  expect(tries(story)).toBe(2);
  expect(story.run.steps.develop?.state).toMatchObject({ kind: 'working', deadline: { leftMs: expect.any(Number) } });
});

test('the fallback keeps what it has begun; after the reset, new work goes to the own agent', () => {
  const before = limit(atWork('codex'), 5 * HOUR).work('develop', 'c1');
  expect(last(before)).toMatchObject({ kind: 'attempt', agent: 'fallback' });
  const after = limit(atWork('codex'), 5 * HOUR).tick(6 * HOUR);
  after.work('develop', 'c1');
  expect(last(after)).toMatchObject({ kind: 'attempt', agent: 'own', session: '', conversation: 'fresh' });
});

test('an answer of the first agent that comes late counts no more', () => {
  const story = atWork('codex');
  const action = story.action('develop');
  limit(story, 5 * HOUR).tell({ kind: 'finished', action });
  expect(story.states().develop).toBe('acting');
  expect(last(story)?.kind).toBe('attempt');
});

test('a service that fails twice has the fallback take over; without one, it is tried for an hour', () => {
  const failing = (fallback: string | undefined) => {
    const { developer, ...roles } = swarmPlan().roles;
    if (developer === undefined) throw new Error('the sample has a developer');
    const story = new Story({
      ...swarmPlan(),
      roles: { ...roles, developer: { ...developer, fallback } },
      stages: [work('develop', 'developer')],
    });
    for (let times = 0; times < 2; times += 1) {
      const action = story.action('develop');
      const error = errorRecord({ id: 'e', code: 'CLAUDE_API_ERROR', message: '529 Overloaded', component: 'develop', at: story.at });
      story.tell({ kind: 'started', action }).tell({ kind: 'failed', action, error }).tick(150_000);
    }
    return story.actions.flatMap(({ task }) => (task.kind === 'attempt' ? [task.session] : []));
  };
  expect(failing('codex')).toEqual(['', '-r2', '-codex']);
  expect(failing(undefined)).toEqual(['', '-r2', '-r3']);
});
