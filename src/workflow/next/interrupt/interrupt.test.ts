import { describe, expect, test } from 'vitest';
import type { ReviewStage } from '../../definition/plan.ts';
import { CRASH, command, result, Story, sectionsPlan, swarmPlan } from '../samples.ts';
import { wakeAt } from '../time/wake-at.ts';

const PAUSE = { kind: 'pause', now: false } as const;
const NOW = { kind: 'pause', now: true } as const;
const RESUME = { kind: 'resume', how: { kind: 'go_on' } } as const;

/** The researcher has its task. */
const atWork = () => new Story().tell({ kind: 'started', action: 'swarm-1.1' });

const checkPlan = () => ({ ...swarmPlan(), stages: [command('test')] });

describe('an agent at work', () => {
  test('is told to save, and has 30 seconds', () => {
    const story = atWork().tell(PAUSE);
    expect(story.run).toMatchObject({ status: 'pausing', pause: { sinceMs: story.at, untilMs: story.at + 30_000 } });
    expect(story.run.steps.research?.state).toMatchObject({ kind: 'acting', doing: 'save' });
    expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'save', seat: 'researcher' });
    expect(wakeAt(story.run, story.policy, story.at)).toBe(story.at + 30_000);
    for (const kind of ['given', 'started'] as const) story.tell({ kind, action: story.action('research') });
    expect(story.run.status).toBe('pausing');
  });

  test('has as long as the settings say', () => {
    const story = new Story(swarmPlan(), { saveTimeoutMs: 90_000 }).tell({ kind: 'started', action: 'swarm-1.1' }).tell(PAUSE);
    expect(story.tick(89_999).run.status).toBe('pausing');
    expect(story.tick(1).run.status).toBe('paused');
  });

  test('that saves a whole result is done, and nothing after it starts', () => {
    const story = atWork().tell(PAUSE);
    story.tell({ kind: 'finished', action: story.action('research') });
    expect(story.run).toMatchObject({ status: 'pausing', steps: { research: { state: { doing: 'save' } } } });
    expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'collect', saved: true });
    story.tell({ kind: 'collected', action: story.action('research'), result: result() });
    expect(story.run.status).toBe('paused');
    expect(story.states()).toEqual({ research: 'done', develop: 'waiting', review: 'waiting', land: 'waiting' });
    story.tell(RESUME);
    expect(story.states()).toMatchObject({ research: 'done', develop: 'acting' });
  });

  test('that saves a part goes on with it later, in its conversation, and no failure counts', () => {
    const story = atWork().tell(PAUSE);
    story.tell({ kind: 'finished', action: story.action('research') });
    story.tell({ kind: 'invalid', action: story.action('research'), problems: ['findings.md is missing'] });
    expect(story.run).toMatchObject({ status: 'paused', recoveries: 0, steps: { research: { state: { kind: 'cooling' }, failures: {} } } });
    expect(story.tasks('research').slice(-2)).toEqual(['research: halt', 'research: rest']);
    story.tell(RESUME);
    expect(story.actions.at(-1)?.task).toMatchObject({
      kind: 'attempt',
      conversation: 'resume',
      session: '',
      continues: expect.any(Array),
    });
    expect(story.run.steps.research?.tries).toBe(1);
  });

  test('that does not answer is stopped after 30 seconds, and what it has left is kept', () => {
    const story = atWork().tell(PAUSE).tick(29_999);
    expect(story.run.status).toBe('pausing');
    story.tick(1);
    expect(story.run.status).toBe('paused');
    const [halt] = story.actions.filter(({ task }) => task.kind === 'halt');
    // The worker's last task is the request to save: its files are those of this piece of work.
    expect(halt?.task).toMatchObject({ seat: 'researcher', tried: ['swarm-1.1', 'swarm-1.2'] });
    expect(wakeAt(story.run, story.policy, story.at)).toBeNull();
  });

  test.each(['crashed', 'lost', 'parked', 'asked', 'failed'] as const)('that should save and is %s is held', (kind) => {
    const story = atWork().tell(PAUSE);
    const action = story.action('research');
    story.tell({ kind, action, error: CRASH, question: 'which?' });
    expect(story.run).toMatchObject({ status: 'paused', steps: { research: { state: { kind: 'cooling' }, failures: {} } } });
    expect(story.run.escalations).toEqual([]);
  });

  test('is stopped at once with now, also after a pause with time', () => {
    const [one, other] = [atWork().tell(NOW), atWork().tell(PAUSE).tell(PAUSE)];
    expect(one.run.status).toBe('paused');
    expect(one.tasks('research')).toEqual(['research: attempt', 'research: halt', 'research: rest']);
    expect(other.run.status).toBe('pausing');
    expect(other.tell(NOW).run.status).toBe('paused');
  });

  test.each([
    ['at a usage limit', { kind: 'parked' }],
    ['with a dialog open', { kind: 'asked', question: 'which?' }],
  ] as const)('%s is held without a request', (_, what) => {
    const story = atWork()
      .tell({ ...what, action: 'swarm-1.1' })
      .tell(PAUSE);
    expect(story.run.status).toBe('paused');
    expect(story.tasks('research')).toEqual(['research: attempt', 'research: halt', 'research: rest']);
    expect(story.run.escalations.filter(({ answer }) => answer === null)).toEqual([]);
  });
});

describe('a step that has not begun its work', () => {
  test('in the queue stays there', () => {
    const story = new Story().tell(PAUSE);
    expect(story.run).toMatchObject({ status: 'paused', steps: { research: { state: { kind: 'acting', action: 'swarm-1.1' } } } });
    story.tell({ kind: 'queued', action: 'swarm-1.1' });
    expect(story.run.escalations).toEqual([]);
    expect(story.tell(RESUME).run.steps.research?.state).toMatchObject({ kind: 'acting', action: 'swarm-1.1' });
  });

  test.each(['given', 'started', 'crashed'] as const)('and is %s after the pause is held', (kind) => {
    const story = new Story().tell(PAUSE).tell({ kind, action: 'swarm-1.1', error: CRASH });
    expect(story.run).toMatchObject({ status: 'paused', steps: { research: { state: { kind: 'cooling' }, failures: {} } } });
    expect(story.tasks('research').at(-1)).toBe('research: halt');
  });

  test('and whose agent has finished meanwhile is collected later', () => {
    const story = new Story().tell(PAUSE).tell({ kind: 'finished', action: 'swarm-1.1' });
    expect(story.run.steps.research?.state).toMatchObject({ kind: 'cooling', redo: { kind: 'collect' } });
    expect(story.tell(RESUME).actions.at(-1)?.task.kind).toBe('collect');
  });

  test('and cannot be performed has failed as ever', () => {
    const story = new Story().tell(PAUSE).tell({ kind: 'failed', action: 'swarm-1.1', error: { ...CRASH, code: 'GIT_WORKTREE_FAILED' } });
    expect(story.run).toMatchObject({ status: 'paused', recoveries: 1, steps: { research: { state: { kind: 'cooling' } } } });
  });

  test('whose agent comes up is held', () => {
    const story = new Story().tell({ kind: 'given', action: 'swarm-1.1' }).tell(PAUSE);
    expect(story.run).toMatchObject({ status: 'paused', steps: { research: { state: { kind: 'cooling' }, tries: 0 } } });
  });

  test('that waits before it tries again waits on', () => {
    const story = new Story().crash('research').tell(PAUSE).tick(60_000);
    expect(story.run).toMatchObject({ status: 'paused', steps: { research: { state: { kind: 'cooling' } } } });
    expect(story.tell(RESUME).states()).toMatchObject({ research: 'acting' });
  });
});

describe('a collection', () => {
  const collecting = () => new Story().turn('research').tell(PAUSE);

  test('ends in the time of the pause', () => {
    const story = collecting();
    expect(story.run.status).toBe('pausing');
    expect(story.tell({ kind: 'collected', action: story.action('research'), result: result() }).run.status).toBe('paused');
  });

  test('that fails, or takes too long, is done again later', () => {
    const failed = collecting();
    failed.tell({ kind: 'failed', action: failed.action('research'), error: CRASH });
    for (const story of [failed, collecting().tick(30_000)]) {
      expect(story.run).toMatchObject({ status: 'paused', steps: { research: { state: { redo: { kind: 'collect' } } } } });
      expect(story.tell(RESUME).run.steps.research?.state).toMatchObject({ kind: 'acting', doing: 'collect' });
    }
  });
});

describe('shell lines', () => {
  const running = () => new Story(checkPlan()).tell({ kind: 'started', action: 'swarm-1.1' });

  test('may end in the time of the pause', () => {
    const story = running().tell(PAUSE);
    expect(story.run.status).toBe('pausing');
    story.tell({ kind: 'checked', action: 'swarm-1.1', passed: true, output: '' });
    expect(story.run).toMatchObject({ status: 'paused', steps: { test: { state: { kind: 'done' } } } });
    expect(story.tell(RESUME).run.status).toBe('done');
  });

  test('that take longer run again later', () => {
    const story = running().tell(PAUSE).tick(30_000);
    expect(story.run).toMatchObject({ status: 'paused', steps: { test: { state: { kind: 'cooling', redo: { kind: 'check' } } } } });
    expect(story.tell(RESUME).tasks()).toEqual(['test: check', 'test: check']);
  });

  test('that begin after the pause are held', () => {
    const story = new Story(checkPlan()).tell(PAUSE).tell({ kind: 'started', action: 'swarm-1.1' });
    expect(story.run).toMatchObject({ status: 'paused', steps: { test: { state: { kind: 'cooling' } } } });
  });
});

describe('people', () => {
  const person: ReviewStage['by'] = { kind: 'person' };
  const approval = () => swarmPlan((stages) => stages.map((stage) => (stage.kind === 'review' ? { ...stage, by: person } : stage)));

  test('find their questions open, and an answer takes effect when the run goes on', () => {
    const story = new Story(approval()).work('research').work('develop', 'c1').tell(PAUSE);
    expect(story.run).toMatchObject({ status: 'paused', escalations: [{ type: 'approval', answer: null }] });
    expect(story.tasks('develop').at(-1)).toBe('develop: rest');
    story.tell({ kind: 'decided', escalation: 1, option: 'approve', text: null });
    expect(story.states()).toMatchObject({ review: 'done', land: 'waiting' });
    expect(story.tell(RESUME).states()).toMatchObject({ land: 'acting' });
  });

  test('can land work of a paused run', () => {
    const story = new Story().work('research').work('develop', 'c1').judge('review');
    const action = story.action('land');
    story.tell({ kind: 'started', action }).tell(PAUSE);
    expect(story.run).toMatchObject({ status: 'paused', steps: { land: { state: { kind: 'working' } } } });
    expect(story.tasks('develop').at(-1)).toBe('develop: rest');
    story.tell({ kind: 'landed', action, commit: 'm1' });
    expect(story.run).toMatchObject({ status: 'paused', steps: { land: { state: { kind: 'done' } } } });
    expect(story.tell(RESUME).run.status).toBe('done');
  });

  test('can end a paused run', () => {
    const story = atWork().tell(PAUSE).tick(30_000).tell({ kind: 'abort', why: 'enough' });
    expect(story.run).toMatchObject({ status: 'aborted', pause: null });
    expect(story.tell(PAUSE).run.status).toBe('aborted');
  });
});

test('no time counts while a run is paused', () => {
  const plan = sectionsPlan({ timeoutMs: 3_600_000 });
  const list = { path: 'outline.yaml', sha256: '', value: { sections: [{ id: 's1', title: 'One' }] } };
  const story = new Story(plan).turn('outline');
  story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts: { 'outline.yaml': list } }) });
  const left = () => {
    const state = story.run.steps.sections?.state;
    return state?.kind === 'under_way' && state.deadline !== null ? state.deadline.at - story.at : undefined;
  };
  story.tell(PAUSE);
  const before = left();
  story
    .tick(40 * 3_600_000)
    .tell({ kind: 'away', ms: 3_600_000 })
    .tell(RESUME);
  expect(story.run.status).toBe('running');
  expect(left()).toBe(before);
  expect(story.tick(1_000).run).toMatchObject({ status: 'running', error: null });
});

test('a question that answers itself does not do so in a pause', () => {
  const answers = { unavailable: { option: 'skip', afterMs: 600_000 } };
  const story = new Story(swarmPlan(), { answers });
  for (let crashes = 0; crashes < 2; crashes += 1) story.crash('research').tick(10_000);
  const at = story.run.escalations[0]?.deadline?.at ?? 0;
  const asked = story.at;
  story.tell(PAUSE).tick(3_600_000).tell(RESUME);
  expect(story.run.escalations[0]).toMatchObject({ answer: null, deadline: { at: at + (story.at - asked) - 1_000 } });
});

test('a message to a role of a paused run comes with its next task', () => {
  const story = atWork().tell(NOW).tell({ kind: 'message', from: 'person', to: 'researcher', text: 'Hello' });
  expect(story.run.roles.researcher?.letters).toHaveLength(1);
  expect(story.tell(RESUME).actions.at(-1)?.task).toMatchObject({ kind: 'attempt', letters: [{ text: 'Hello' }] });
});
