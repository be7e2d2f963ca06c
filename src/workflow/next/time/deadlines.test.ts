import { describe, expect, test } from 'vitest';
import type { Stage } from '../../definition/plan.ts';
import { command, POLICY, review, Story, swarmPlan } from '../samples.ts';
import { wakeAt } from './wake-at.ts';

const MINUTE = 60_000;
const only = (stage: Stage) => new Story(swarmPlan(() => [stage]));
const begin = (story: Story, step: string) => story.tell({ kind: 'started', action: story.action(step) });

describe('shell lines', () => {
  test.each([
    ['of a stage with a timeout have that', 10 * MINUTE, 10 * MINUTE],
    ['of a stage without one have the time of every stage', undefined, POLICY.stageTimeoutMs],
  ])('%s, from the moment they begin', (_, timeoutMs, limitMs) => {
    const story = only(command('tests', { timeoutMs }));
    story.tick(MINUTE);
    begin(story, 'tests');
    expect(wakeAt(story.run, { ...POLICY, checkpointEveryMs: Number.POSITIVE_INFINITY }, story.at)).toBe(story.at + limitMs);
    story.tick(limitMs - 1);
    expect(story.states()).toEqual({ tests: 'working' });
    story.tick(1);
    expect(story.states()).toEqual({ tests: 'cooling' });
    expect(story.records.findLast(({ kind }) => kind === 'error')).toMatchObject({ error: { code: 'STAGE_FAILED', strategy: 'retry' } });
  });

  test('that took too long run again like other failures that may pass; then a person is asked about the time', () => {
    const story = only(command('tests', { timeoutMs: MINUTE }));
    for (let tries = 0; tries < 4; tries += 1) begin(story, 'tests').tick(MINUTE).tick(10_000);
    expect(story.tasks()).toEqual(['tests: check', 'tests: check', 'tests: check', 'tests: check']);
    expect(story.run.escalations).toMatchObject([{ type: 'timeout', step: 'tests', options: ['extend', 'restart', 'skip', 'abort'] }]);
  });

  test('follow on_failure.timeout, not on_failure.unmet, however their time ran out', () => {
    const onFailure = {
      timeout: { after: 1, steps: [{ kind: 'skip', mark: 'slow' }] },
      unmet: { after: 1, steps: [{ kind: 'abort' }] },
    } as const;
    const byTheStage = only(command('tests', { timeoutMs: MINUTE, onFailure }));
    begin(byTheStage, 'tests').tick(MINUTE);
    const byTheLine = only(command('tests', { onFailure }));
    begin(byTheLine, 'tests').tell({ kind: 'checked', action: byTheLine.action('tests'), passed: false, late: true, output: 'o' });
    for (const { run } of [byTheStage, byTheLine]) expect(run.steps.tests).toMatchObject({ state: { kind: 'skipped' }, marks: ['slow'] });
  });

  test('of a review that took too long do not count as a remark on the work', () => {
    const tests = review('review', 'develop', { by: { kind: 'command', lines: ['npm test'] }, timeoutMs: MINUTE });
    const story = new Story(swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? tests : stage))));
    story.work('research').work('develop', 'c1');
    begin(story, 'review').tick(MINUTE);
    expect(story.states()).toMatchObject({ develop: 'done', review: 'cooling' });
    expect(story.run.steps.review?.round).toBe(1);
  });

  test('that begin again after llmc was killed have all of their time again', () => {
    const story = only(command('tests', { timeoutMs: 10 * MINUTE }));
    begin(story, 'tests').tick(9 * MINUTE);
    begin(story, 'tests').tick(9 * MINUTE);
    expect(story.states()).toEqual({ tests: 'working' });
    story.tell({ kind: 'checked', action: story.action('tests'), passed: true, output: '' });
    expect(story.run.status).toBe('done');
  });
});

describe('an agent that was started', () => {
  const give = (story: Story) => story.tell({ kind: 'given', action: story.action('research') });

  test('and does not take its task in time counts as one that cannot start: again, then the question who else could do it', () => {
    const story = new Story();
    give(story).tick(POLICY.startTimeoutMs - 1);
    expect(story.states()).toMatchObject({ research: 'acting' });
    story.tick(1);
    expect(story.states()).toMatchObject({ research: 'cooling' });
    expect(story.records.findLast(({ kind }) => kind === 'error')).toMatchObject({
      error: { code: 'AGENT_SPAWN_FAILED', message: 'the agent did not take the task of research within 15m' },
    });
    for (let tries = 0; tries < 2; tries += 1) give(story.tick(10_000)).tick(POLICY.startTimeoutMs);
    expect(story.run.escalations).toMatchObject([{ type: 'unavailable', step: 'research' }]);
  });

  test('has as long as it waits for a person, in whatever order that is told', () => {
    const asked = new Story();
    give(asked).tell({ kind: 'asked', action: asked.action('research'), question: 'Log in?' });
    const first = new Story();
    give(first.tell({ kind: 'asked', action: first.action('research'), question: 'Log in?' }));
    for (const story of [asked, first]) {
      story.tick(48 * 3_600_000);
      expect(story.run).toMatchObject({ status: 'running', escalations: [{ type: 'blocked', answer: null }] });
      story.tell({ kind: 'answered', action: story.action('research') }).tick(POLICY.startTimeoutMs);
      expect(story.states()).toMatchObject({ research: 'cooling' });
    }
  });

  test('and asked before its task was told has no time for it until the answer', () => {
    const story = new Story();
    give(story).tell({ kind: 'asked', action: story.action('research'), question: 'Which?' });
    story.tell({ kind: 'started', action: story.action('research') }).tick(48 * 3_600_000);
    expect(story.run).toMatchObject({ status: 'running', escalations: [{ type: 'blocked', answer: null }] });
    expect(story.states()).toMatchObject({ research: 'working' });
    story.tell({ kind: 'answered', action: story.action('research') }).tick(POLICY.stageTimeoutMs - 1);
    expect(story.states()).toMatchObject({ research: 'working' });
  });

  test('and took it before that was told goes on', () => {
    const story = new Story();
    give(story.tell({ kind: 'started', action: story.action('research') })).tick(POLICY.startTimeoutMs);
    expect(story.states()).toMatchObject({ research: 'working' });
  });
});

describe('an agent without a place', () => {
  const queue = (story: Story, afterMs = POLICY.queueTimeoutMs) =>
    story.tell({ kind: 'queued', action: story.action('research') }, afterMs);

  test('makes its run ask whether to wait; the place may come meanwhile', () => {
    const story = queue(queue(new Story()), 1);
    expect(story.run.escalations).toMatchObject([{ type: 'resource', step: 'research', options: ['wait', 'abort'], recommended: 'wait' }]);
    expect(story.states()).toMatchObject({ research: 'acting' });
    // Nobody works, so the time of the run stands.
    story.tick(100 * 3_600_000);
    story.tell({ kind: 'given', action: story.action('research') });
    expect(story.run).toMatchObject({ status: 'running', escalations: [{ answer: { option: 'answered' } }] });
  });

  test('is asked about again only after the same time, once a person chose to wait', () => {
    const story = queue(new Story()).tell({ kind: 'decided', escalation: 1, option: 'wait', text: null });
    expect(queue(story, POLICY.queueTimeoutMs - 1).run.escalations).toHaveLength(1);
    expect(queue(story, 1).run.escalations).toHaveLength(2);
    story.tell({ kind: 'decided', escalation: 2, option: 'abort', text: null });
    expect(story.run.status).toBe('aborted');
  });
});

describe('time in which llmc did not run', () => {
  const NIGHT = 10 * 3_600_000;

  test('counts against no stage and not against the run: a reboot overnight is not a timeout', () => {
    const story = new Story();
    begin(story, 'research').tick(3 * 3_600_000);
    // A supervisor that comes up first says for how long nothing ran; then it finds that the session is gone.
    story.tell({ kind: 'away', ms: NIGHT }, NIGHT).tick(0);
    expect(story.states()).toMatchObject({ research: 'working' });
    story.tell({ kind: 'lost', action: story.action('research') });
    expect(story.run.steps.research).toMatchObject({ tries: 1, failures: {}, state: { kind: 'acting' } });
    expect(story.run).toMatchObject({ status: 'running', recoveries: 0 });
  });

  test('leaves what was left: the rest of the time still counts', () => {
    const story = new Story();
    begin(story, 'research')
      .tick(3 * 3_600_000)
      .tell({ kind: 'away', ms: NIGHT }, NIGHT);
    story.tick(3_600_000 - 1);
    expect(story.states()).toMatchObject({ research: 'working' });
    story.tick(1);
    expect(story.tasks('research').at(-1)).toBe('research: nudge');
    story.tick(POLICY.runTimeoutMs);
    expect(story.run).toMatchObject({ status: 'failed', error: { code: 'WORKFLOW_TIMEOUT' } });
  });

  test('does not count twice while the clock of the run stands anyway', () => {
    const story = new Story();
    const action = story.action('research');
    begin(story, 'research').tell({ kind: 'parked', action }).tell({ kind: 'away', ms: NIGHT }, NIGHT).tell({ kind: 'unparked', action });
    expect(story.run.clock.stoppedMs).toBe(NIGHT + 1_000);
    story.tick(POLICY.stageTimeoutMs - 1_001);
    expect(story.states()).toMatchObject({ research: 'working' });
    story.tick(1);
    expect(story.tasks('research').at(-1)).toBe('research: nudge');
  });
});

test('the time of a run counts while a person is asked whether its agent may take longer: it is at work', () => {
  const ask = { after: 1, steps: [{ kind: 'ask', options: [] }] } as const;
  const stage = (each: Stage) => (each.id === 'research' ? { ...each, timeoutMs: 60 * MINUTE, onFailure: { timeout: ask } } : each);
  const story = begin(new Story(swarmPlan((stages) => stages.map(stage))), 'research').tick(60 * MINUTE);
  expect(story.run.steps.research?.state).toMatchObject({ kind: 'asking', working: {} });
  expect(story.run.clock.stoppedSince).toBeNull();
  // At a usage limit it only waits.
  const action = story.action('research');
  expect(story.tell({ kind: 'parked', action }).run.clock.stoppedSince).toBe(story.at);
  expect(story.tell({ kind: 'unparked', action }).run.clock.stoppedSince).toBeNull();
  expect(wakeAt(story.run, story.policy, story.at)).not.toBeNull();
  expect(story.tick(POLICY.runTimeoutMs).run).toMatchObject({ status: 'failed', error: { code: 'WORKFLOW_TIMEOUT' } });
});
