import { describe, expect, test } from 'vitest';
import type { Reaction, Reactions } from '../../definition/plan.ts';
import { DEFAULT_ANSWERS } from '../../policy.ts';
import { CRASH, POLICY, result, review, Story, swarmPlan } from '../samples.ts';
import { wakeAt } from './wake-at.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { nudgeTimeoutMs } = POLICY;

/** The research has an hour, and its agent takes longer. */
function late(timeout?: readonly Reaction[], policy = {}): Story {
  const onFailure: { timeout?: Reactions } = timeout === undefined ? {} : { timeout: { after: 1, steps: timeout } };
  const plan = swarmPlan((stages) => stages.map((stage) => (stage.id === 'research' ? { ...stage, timeoutMs: HOUR, onFailure } : stage)));
  const story = new Story(plan, { answers: DEFAULT_ANSWERS, checkpointEveryMs: Number.POSITIVE_INFINITY, ...policy });
  return story.tell({ kind: 'given', action: 'swarm-1.1' }).tell({ kind: 'started', action: 'swarm-1.1' }).tick(HOUR);
}

const ASK: Reaction = { kind: 'ask', options: [] };
const asked = (policy = {}) => late([ASK], policy);
const stateOf = (story: Story) => story.run.steps.research?.state;
const looked = (story: Story, works: boolean) => story.tell({ kind: 'nudged', action: story.action('research'), works });
const took = (story: Story) => story.tell({ kind: 'started', action: story.action('research') });
const attempts = (story: Story) => story.tasks('research').filter((task) => task === 'research: attempt').length;
const codes = (story: Story) => story.records.flatMap((record) => (record.kind === 'error' ? [record.error.code] : []));
const notes = (story: Story) => story.records.flatMap((record) => (record.kind === 'history' ? [record.text] : []));

describe('an agent that takes longer than its stage may', () => {
  test('is asked how far it is, and keeps its task: nothing about it counts as a start', () => {
    const story = late();
    expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'nudge', interrupt: false, silentMs: nudgeTimeoutMs });
    expect(stateOf(story)).toMatchObject({ kind: 'working', action: 'swarm-1.1', nudge: { kind: 'sending' } });
    looked(story, false).tick(POLICY.startTimeoutMs);
    expect(codes(story)).toEqual(['AGENT_TIMEOUT']);
    expect(attempts(story)).toBe(1);
  });

  test('and works gets half of its time again, twice; then a person is asked, and it goes on', () => {
    const story = late();
    for (let times = 0; times < 2; times += 1) {
      looked(story, true);
      expect(stateOf(story)).toEqual({ kind: 'working', action: 'swarm-1.1', deadline: { at: story.at + HOUR / 2, leftMs: null } });
      expect(notes(story).at(-1)).toBe('researcher is at work: it has 30m more');
      expect(wakeAt(story.run, story.policy, story.at)).toBe(story.at + HOUR / 2);
      story.tick(HOUR / 2);
    }
    expect(story.run.escalations).toMatchObject([{ type: 'timeout', options: ['extend', 'restart', 'skip', 'abort'], answer: null }]);
    expect(stateOf(story)).toMatchObject({ kind: 'asking', escalation: 1, working: { action: 'swarm-1.1' } });
    expect(story.tasks('research')).toEqual(['research: attempt', 'research: nudge', 'research: nudge']);
  });

  test('has its time for the answer from the moment it has the question', () => {
    const story = looked(late(), false);
    story.tick(5 * nudgeTimeoutMs);
    took(story);
    expect(stateOf(story)).toMatchObject({ nudge: { kind: 'taken', at: story.at }, deadline: { at: story.at + nudgeTimeoutMs } });
    story.tick(nudgeTimeoutMs - 1);
    expect(story.tasks('research')).toHaveLength(2);
    const takenMs = story.at - nudgeTimeoutMs + 1;
    story.tick(1);
    expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'nudge', text: null, takenMs });
    looked(story, true);
    expect(stateOf(story)).toMatchObject({ deadline: { at: story.at + HOUR / 2 } });
    expect(attempts(story)).toBe(1);
  });

  test('and shows nothing is asked again with an interrupt, then started again', () => {
    const story = late();
    for (const interrupt of [false, true]) {
      expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'nudge', interrupt });
      // It takes the first question and no other.
      if (!interrupt) took(looked(story, false)).tick(nudgeTimeoutMs);
      else looked(story, false).tick(10 * nudgeTimeoutMs);
      expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'nudge', text: null });
      looked(story, false);
    }
    story.tick(MINUTE);
    expect(attempts(story)).toBe(2);
    expect(codes(story)).toEqual(['AGENT_TIMEOUT', 'AGENT_TIMEOUT', 'AGENT_TIMEOUT']);
  });

  test('and ends its turn has answered, whatever waits for it', () => {
    const story = late();
    const nudge = story.action('research');
    story.tell({ kind: 'finished', action: 'swarm-1.1' });
    story.tell({ kind: 'nudged', action: nudge, works: false }).tell({ kind: 'started', action: nudge });
    expect(story.tasks('research').at(-1)).toBe('research: collect');
    story.tell({ kind: 'collected', action: story.action('research'), result: result() });
    expect(story.states()).toMatchObject({ research: 'done' });
  });

  test('keeps what is left for its answer while it waits for a person or a usage limit', () => {
    for (const kind of ['asked', 'parked'] as const) {
      const story = took(looked(late(), false)).tick(nudgeTimeoutMs - 2_000);
      story.tell(kind === 'asked' ? { kind, action: 'swarm-1.1', question: 'Which?' } : { kind, action: 'swarm-1.1' });
      story.tick(48 * HOUR);
      expect(story.tasks('research')).toHaveLength(2);
      story.tell({ kind: kind === 'asked' ? 'answered' : 'unparked', action: 'swarm-1.1' }).tick(1_000);
      expect(story.tasks('research')).toHaveLength(3);
    }
  });

  test('has more time also if llmc cannot ask it', () => {
    const story = late();
    story.tell({ kind: 'failed', action: story.action('research'), error: { ...CRASH, code: 'DATABASE_ERROR', message: 'disk full' } });
    expect(stateOf(story)).toMatchObject({ kind: 'working', action: 'swarm-1.1', deadline: { at: story.at + HOUR / 2 } });
    expect(notes(story)).toContain('its agent could not be asked: disk full');
  });

  test('crashes like any other', () => {
    const story = late().tell({ kind: 'crashed', action: 'swarm-1.1', error: CRASH }).tick(MINUTE);
    expect(codes(story)).toEqual(['AGENT_TIMEOUT', 'AGENT_CRASHED']);
    expect(attempts(story)).toBe(2);
  });

  test('is asked also by `retry` of the workflow file', () => {
    const story = looked(late([{ kind: 'retry' }, ASK]), true);
    expect(stateOf(story)).toMatchObject({ kind: 'working' });
    story.tick(HOUR / 2);
    expect(story.run.escalations).toMatchObject([{ type: 'timeout' }]);
  });
});

describe('a person who is asked about the time', () => {
  test('gives the agent more of it, without a word to the agent; later it is asked again', () => {
    const story = asked().tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    expect(stateOf(story)).toEqual({ kind: 'working', action: 'swarm-1.1', deadline: { at: story.at + HOUR / 2, leftMs: null } });
    expect(notes(story).at(-1)).toBe('researcher goes on: it has 30m more');
    expect(story.tasks('research')).toEqual(['research: attempt']);
    story.tick(HOUR / 2);
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'extend' } }, { type: 'timeout', answer: null }]);
    expect(attempts(story)).toBe(1);
  });

  test('need not answer: more time is given by itself', () => {
    const story = asked().tick(5 * MINUTE);
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'extend', by: 'default' } }]);
    expect(stateOf(story)).toMatchObject({ kind: 'working', action: 'swarm-1.1', deadline: { at: story.at + HOUR / 2 } });
    expect(story.tasks('research')).toEqual(['research: attempt']);
  });

  test('gives it once, however often the answer comes', () => {
    const story = asked().tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    const given = stateOf(story);
    story
      .tell({ kind: 'decided', escalation: 1, option: 'extend', text: null })
      .tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    expect(stateOf(story)).toEqual(given);
  });

  test.each(['asked', 'parked'] as const)('gives it from the moment that the agent can use it: not while it is %s', (kind) => {
    const action = 'swarm-1.1';
    const story = asked().tell(kind === 'asked' ? { kind, action, question: 'Which?' } : { kind, action });
    story.tell({ kind: 'decided', escalation: 1, option: 'extend', text: null }).tick(48 * HOUR);
    expect(stateOf(story)).toMatchObject({ kind: 'working', deadline: { leftMs: HOUR / 2 } });
    story.tell({ kind: kind === 'asked' ? 'answered' : 'unparked', action });
    expect(stateOf(story)).toMatchObject({ kind: 'working', deadline: { at: story.at + HOUR / 2, leftMs: null } });
  });

  test('is not needed any more once the agent has finished: its result counts', () => {
    const story = asked().tell({ kind: 'finished', action: 'swarm-1.1' });
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'ended', by: 'run' } }]);
    story.tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    expect(story.tasks('research')).toEqual(['research: attempt', 'research: collect']);
    story.tell({ kind: 'collected', action: story.action('research'), result: result() });
    expect(story.states()).toMatchObject({ research: 'done' });
  });

  test('is not needed once the agent has crashed either', () => {
    const story = asked().tell({ kind: 'crashed', action: 'swarm-1.1', error: CRASH });
    expect(story.run.escalations.every(({ answer }) => answer !== null)).toBe(true);
    expect(attempts(story.tick(MINUTE))).toBe(2);
  });

  test('can start it again, or leave it out', () => {
    expect(attempts(asked().tell({ kind: 'decided', escalation: 1, option: 'restart', text: null }))).toBe(2);
    const left = asked().tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect([left.states().research, left.tasks('research').at(-1)]).toEqual(['skipped', 'research: halt']);
  });

  test('gets no message meant for the agent: it is at work', () => {
    const story = asked().tell({ kind: 'message', from: 'person', to: 'researcher', text: 'Hurry' });
    expect(story.tasks('research').at(-1)).toBe('research: deliver');
  });

  test('answers the agent as well: then the time begins again', () => {
    const story = asked().tell({ kind: 'asked', action: 'swarm-1.1', question: 'Which?' });
    story.tell({ kind: 'decided', escalation: 2, option: 'answer', text: 'The first' });
    expect(story.run.escalations.map(({ answer }) => answer?.option)).toEqual(['answered', 'answer']);
    expect(stateOf(story)).toMatchObject({ kind: 'acting', doing: 'follow_up' });
  });

  test('gives more time to a review whose circuit breaker has opened, too', () => {
    const breaker = {
      scope: 'stage',
      failures: 1,
      retryAfterMs: 10 * MINUTE,
      whenOpen: 'ask',
      default: undefined,
      afterMs: undefined,
    } as const;
    const check = review('review', 'develop', { timeoutMs: HOUR, circuitBreaker: breaker });
    const story = new Story(swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? check : stage))));
    story.work('research').work('develop', 'c1');
    const action = story.action('review');
    story.tell({ kind: 'started', action }).tick(HOUR).tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    expect(story.run.steps.review?.state).toEqual({ kind: 'working', action, deadline: { at: story.at + HOUR / 2, leftMs: null } });
    expect(story.tasks('review')).toEqual(['review: attempt']);
  });
});

describe('a pause', () => {
  test.each([
    ['is asked how far it is', () => late()],
    ['a person is asked about', () => asked()],
  ])('lets an agent that %s save what it has, and gives it its whole time again', (_, begin) => {
    const story = begin().tell({ kind: 'pause', now: false });
    expect(story.tasks('research').at(-1)).toBe('research: save');
    expect(story.run.escalations.every(({ answer }) => answer !== null)).toBe(true);
    story.tell({ kind: 'given', action: story.action('research') }).tell({ kind: 'busy', action: story.action('research') });
    story.tick(POLICY.saveTimeoutMs);
    expect(story.run.status).toBe('paused');
    story.tell({ kind: 'resume', how: { kind: 'go_on' } });
    took(story);
    expect(stateOf(story)).toMatchObject({ kind: 'working', deadline: { at: story.at + HOUR } });
  });

  test('at once stops it', () => {
    const story = asked().tell({ kind: 'pause', now: true });
    expect(story.run.status).toBe('paused');
    expect(story.tasks('research')).toEqual(['research: attempt', 'research: halt', 'research: rest']);
  });
});

test('a message to an agent that is busy does not count as a start: the time of its stage does', () => {
  const story = new Story().turn('research').tell({ kind: 'invalid', action: 'swarm-1.2', problems: ['findings.md is missing'] });
  story.tick(10_000);
  const action = story.action('research');
  story.tell({ kind: 'given', action }).tell({ kind: 'busy', action });
  story.tick(POLICY.startTimeoutMs).tick(POLICY.startTimeoutMs);
  expect(stateOf(story)).toMatchObject({ kind: 'working', action });
  story.tell({ kind: 'started', action }).tell({ kind: 'finished', action });
  expect(story.tasks('research').at(-1)).toBe('research: collect');
  expect(codes(story)).toEqual(['AGENT_INVALID_OUTPUT']);
});
