import { describe, expect, test } from 'vitest';
import type { Stage } from '../definition/plan.ts';
import { RESERVED_FILES } from '../definition/schema-parts.ts';
import { CRASH, command, POLICY, review, Story, swarmPlan } from './samples.ts';
import { DIFF_FILE, HANDOFF_FILE, MESSAGES_FOLDER } from './values.ts';

test('research, develop, review with remarks, review again, land', () => {
  const story = new Story().work('research').work('develop', 'c1').judge('review', 'no test');
  expect(story.states()).toEqual({ research: 'done', develop: 'acting', review: 'waiting', land: 'waiting' });
  story.work('develop', 'c2').judge('review');
  expect(story.states()).toMatchObject({ develop: 'done', review: 'done', land: 'acting' });
  story.tell({ kind: 'started', action: story.action('land') }).tell({ kind: 'landed', action: story.action('land'), commit: 'm1' });
  expect(story.run.status).toBe('done');
  expect(story.tasks()).toEqual([
    'research: attempt',
    'research: collect',
    'research: rest',
    'develop: attempt',
    'develop: collect',
    'review: attempt',
    'review: collect',
    'develop: follow_up',
    'develop: collect',
    'review: attempt',
    'review: collect',
    'review: rest',
    'land: land',
    'develop: rest',
    'run: dismiss',
    'run: dismiss',
    'run: dismiss',
  ]);
});

test('a reviewer stands on the commit it reviews, and goes on in its conversation', () => {
  const story = new Story().work('research').work('develop', 'c1').judge('review', 'no test').work('develop', 'c2');
  const attempts = story.actions.flatMap(({ step, task }) => (step === 'review' && task.kind === 'attempt' ? [task] : []));
  expect(attempts).toMatchObject([
    { base: 'c1', conversation: 'fresh', session: '' },
    { base: 'c2', conversation: 'resume' },
  ]);
});

describe('a requirement of a review, and of shell lines', () => {
  const late = { 'review.round': { max: 1 } };
  const never = { 'research.findings': { is: 'x' } };
  const onFailure = { unmet: { after: 1, steps: [{ kind: 'ask', options: [] }] } } as const;
  const plan = swarmPlan((stages) => [
    ...stages.map((stage): Stage => (stage.id === 'review' ? { ...stage, require: late, onFailure } : stage)),
    command('tests', { needs: ['land'], require: never, onFailure }),
  ]);

  test('that does not hold asks, although the verdict is good', () => {
    const story = new Story(plan).work('research').work('develop', 'c1').judge('review', 'no test').work('develop', 'c2').judge('review');
    expect(story.states()).toMatchObject({ review: 'asking', land: 'waiting' });
    expect(story.run.escalations).toMatchObject([{ type: 'unmet', text: 'what review left does not meet its requirement' }]);
  });

  test('that holds lets the run go on', () => {
    const story = new Story(plan).work('research').work('develop', 'c1').judge('review');
    expect(story.states()).toMatchObject({ review: 'done', land: 'acting' });
    story.tell({ kind: 'started', action: story.action('land') }).tell({ kind: 'landed', action: story.action('land'), commit: 'm1' });
    story.tell({ kind: 'checked', action: story.action('tests'), passed: true, output: '' });
    expect(story.run.escalations).toMatchObject([{ type: 'unmet', step: 'tests' }]);
  });
});

describe('an event', () => {
  test('of an action that is over changes nothing but the version', () => {
    const story = new Story().work('research');
    const before = story.run;
    const late = story.actions[0]?.id ?? '';
    story.tell({ kind: 'finished', action: late }).tell({ kind: 'crashed', action: late, error: CRASH });
    expect({ ...story.run, version: 0 }).toEqual({ ...before, version: 0 });
  });

  test('that begins the run a second time changes nothing', () => {
    const story = new Story().work('research');
    const before = story.states();
    expect(story.tell({ kind: 'begin' }).states()).toEqual(before);
  });
});

describe('a crash', () => {
  test('has two tries of the agent and two of its fallback, then ends a run that cannot do without', () => {
    const story = new Story().work('research');
    for (let crashes = 0; crashes < 4; crashes += 1) story.crash('develop').tick(10_000);
    const attempts = story.actions.flatMap(({ step, task }) => (step === 'develop' && task.kind === 'attempt' ? [task] : []));
    expect(attempts.map(({ session }) => session)).toEqual(['', '-r2', '-codex', '-codex-r2']);
    const warnings = ['No agent can work as developer. The run ends, and what is there is kept.'];
    expect(story.run).toMatchObject({ status: 'failed', level: 'failed', warnings });
    expect(story.states()).toEqual({ research: 'done', develop: 'failed', review: 'skipped', land: 'skipped' });
  });

  test('in each round of a review brings no fallback: a new piece of work has its own tries', () => {
    const story = new Story().work('research').crash('develop').tick(10_000).work('develop', 'c1');
    story.crash('review').tick(10_000).judge('review', 'no test');
    story.crash('develop').tick(10_000).work('develop', 'c2').crash('review').tick(10_000);
    expect(story.states()).toMatchObject({ develop: 'done', review: 'acting' });
    expect(story.actions.some(({ task }) => task.kind === 'attempt' && task.agent === 'fallback')).toBe(false);
  });

  test('of a reviewer leaves the work unverified', () => {
    const story = new Story().work('research').work('develop', 'c1');
    for (let crashes = 0; crashes < 2; crashes += 1) story.crash('review').tick(10_000);
    expect(story.states()).toMatchObject({ review: 'skipped', land: 'acting' });
    expect(story.run.steps.develop?.marks).toEqual(['unverified']);
    expect(story.run).toMatchObject({
      level: 'minimal',
      warnings: ['No agent can work as reviewer. The result of develop is not verified.'],
    });
  });

  test('of a researcher asks a person, who can do without', () => {
    const story = new Story();
    for (let crashes = 0; crashes < 2; crashes += 1) story.crash('research').tick(10_000);
    expect(story.run.escalations).toMatchObject([
      { number: 1, type: 'unavailable', recommended: 'restart', options: ['restart', 'skip', 'abort'] },
    ]);
    story.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect(story.states()).toMatchObject({ research: 'skipped', develop: 'acting' });
    expect(story.run).toMatchObject({ level: 'reduced', warnings: ['a person skipped research'] });
  });

  test('that the file answers with skip leaves a gap, which is marked partial', () => {
    const onFailure = { crash: { after: 1, steps: [{ kind: 'skip', mark: undefined } as const] } };
    const story = new Story(swarmPlan(([research, ...rest]) => (research === undefined ? rest : [{ ...research, onFailure }, ...rest])));
    expect(story.crash('research').run.steps.research).toMatchObject({ state: { kind: 'skipped' }, marks: ['partial'] });
  });

  test('from outside charges no attempt', () => {
    const story = new Story();
    for (let losses = 0; losses < 9; losses += 1)
      story.tell({ kind: 'started', action: story.action('research') }).tell({ kind: 'lost', action: story.action('research') });
    expect(story.run.steps.research).toMatchObject({ tries: 1, failures: {}, state: { kind: 'acting' } });
    expect(story.run.recoveries).toBe(0);
  });
});

test('an invalid result is told to the agent twice, then a person decides', () => {
  const story = new Story();
  const invalid = () =>
    story.turn('research').tell({ kind: 'invalid', action: story.action('research'), problems: ['findings.md is missing'] });
  invalid().tick(10_000);
  invalid().tick(10_000);
  expect(story.tasks('research').filter((task) => task.endsWith('follow_up'))).toHaveLength(2);
  invalid();
  expect(story.run.escalations).toMatchObject([{ type: 'invalid_output', step: 'research' }]);
});

test('the last round of a review that still has remarks is skipped, and the work is marked', () => {
  const story = new Story().work('research').work('develop', 'c1');
  story.judge('review', 'a').work('develop', 'c2').judge('review', 'b').work('develop', 'c3').judge('review', 'c');
  expect(story.states()).toMatchObject({ develop: 'done', review: 'skipped', land: 'acting' });
  expect(story.run.steps.develop?.marks).toEqual(['partial']);
});

test('a landing by the run is left to a person if the work is marked', () => {
  const plan = swarmPlan((stages) => stages.map((stage) => (stage.kind === 'land' ? { ...stage, by: 'run' } : stage)));
  const landing = (story: Story) => story.actions.flatMap(({ task }) => (task.kind === 'land' ? [task] : []));
  const sound = new Story(plan).work('research').work('develop', 'c1').judge('review');
  expect(landing(sound)).toMatchObject([{ by: 'run', marks: [] }]);
  const doubtful = new Story(plan).work('research').work('develop', 'c1');
  for (let crashes = 0; crashes < 2; crashes += 1) doubtful.crash('review').tick(10_000);
  expect(landing(doubtful)).toMatchObject([{ by: 'person', marks: ['unverified'] }]);
});

test('a limit that the workflow file skips marks the work like one without a line in the file', () => {
  const onFailure = { limit: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } } as const;
  const story = new Story(swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? { ...stage, onFailure } : stage))));
  story.work('research').work('develop', 'c1');
  story.judge('review', 'a').work('develop', 'c2').judge('review', 'b').work('develop', 'c3').judge('review', 'c');
  expect(story.run.steps.develop?.marks).toEqual(['partial']);
});

test('an approval after a rejection is the verdict of the review', () => {
  const byPerson = review('review', 'develop', { by: { kind: 'person' } });
  const story = new Story(swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? byPerson : stage))));
  story.work('research').work('develop', 'c1');
  story.tell({ kind: 'decided', escalation: 1, option: 'reject', text: 'Too short' }).work('develop', 'c2');
  story.tell({ kind: 'decided', escalation: 2, option: 'approve', text: null });
  expect(story.run.steps.review).toMatchObject({ state: { kind: 'done' }, result: { verdict: { verdict: 'approved', issues: [] } } });
});

describe('time', () => {
  test('at a usage limit does not count', () => {
    const story = new Story();
    const action = story.action('research');
    story.tell({ kind: 'started', action }).tell({ kind: 'parked', action });
    story
      .tick(POLICY.stageTimeoutMs * 10)
      .tell({ kind: 'unparked', action })
      .tick(1_000);
    expect(story.run.status).toBe('running');
    expect(story.states()).toMatchObject({ research: 'working' });
    story.tick(POLICY.stageTimeoutMs);
    expect(story.tasks('research').at(-1)).toBe('research: nudge');
  });

  test('of the whole run that is over stops it with what it has', () => {
    const story = new Story().work('research');
    story.tell({ kind: 'started', action: story.action('develop') });
    for (let hours = 0; hours < 3; hours += 1) story.tick(3_600_000);
    story.tick(8 * 3_600_000);
    expect(story.run).toMatchObject({ status: 'failed', error: { code: 'WORKFLOW_TIMEOUT' } });
    expect(story.tasks('develop')).toContain('develop: halt');
    expect(story.run.steps.research?.state.kind).toBe('done');
  });

  test('while only a person holds the run does not count', () => {
    const story = new Story().work('research').work('develop', 'c1').judge('review');
    story.tell({ kind: 'started', action: story.action('land') }).tick(48 * 3_600_000);
    expect(story.run.status).toBe('running');
    story.tell({ kind: 'landed', action: story.action('land'), commit: 'm1' });
    expect(story.run.status).toBe('done');
  });
});

test('an abort stops the agents at work and keeps what is done', () => {
  const story = new Story().work('research').tell({ kind: 'abort', why: 'enough' });
  expect(story.run).toMatchObject({ status: 'aborted', error: { message: 'enough' } });
  expect(story.tasks('develop')).toEqual(['develop: attempt', 'develop: halt']);
  expect(story.states()).toMatchObject({ research: 'done', develop: 'skipped' });
});

test('two reviews of one stage: remarks of the second send the work past both again, and nothing lands meanwhile', () => {
  const tests: Stage = review('tests', 'develop', { by: { kind: 'command', lines: ['npm test'] } });
  const plan = swarmPlan((stages) =>
    stages.flatMap((stage) => (stage.id === 'review' ? [tests, { ...stage, needs: ['tests'] }] : [stage])),
  );
  const story = new Story(plan).work('research').work('develop', 'c1');
  const pass = () => story.tell({ kind: 'checked', action: story.action('tests'), passed: true, output: '' });
  pass();
  story.judge('review', 'no test');
  expect(story.states()).toMatchObject({ develop: 'acting', tests: 'waiting', review: 'waiting', land: 'waiting' });
  story.work('develop', 'c2');
  expect(story.states()).toMatchObject({ develop: 'done', tests: 'acting', review: 'waiting', land: 'waiting' });
  expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'check', base: 'c2' });
  pass();
  story.judge('review');
  expect(story.states()).toMatchObject({ tests: 'done', review: 'done', land: 'acting' });
  expect(story.run.steps.tests?.round).toBe(1);
});

describe('a message', () => {
  test('goes to the role whose agent is at work', () => {
    const story = new Story().work('research').tell({ kind: 'message', from: 'person', to: 'developer', text: 'Use tabs.' });
    expect(story.actions.at(-1)).toMatchObject({ step: 'develop', task: { kind: 'deliver', seat: 'developer', text: 'Use tabs.' } });
    expect(story.states()).toMatchObject({ develop: 'acting' });
  });

  test('to a role that is not at work comes with its next task, once', () => {
    const story = new Story().tell({ kind: 'message', from: 'researcher', to: 'developer', text: 'Use tabs.' });
    expect(story.tasks()).toEqual(['research: attempt']);
    story.work('research').crash('develop').tick(5_000);
    const letters = story.actions.flatMap(({ task }) => (task.kind === 'attempt' ? [task.letters.length] : []));
    expect(letters).toEqual([0, 1, 0]);
  });

  test('to a role that the workflow does not have is kept as a dead letter', () => {
    const story = new Story().tell({ kind: 'message', from: 'researcher', to: 'toString', text: 'Hello.' });
    expect(story.tasks()).toEqual(['research: attempt']);
    expect(story.records.at(-2)).toMatchObject({ kind: 'error', error: { code: 'ROUTING_FAILED', details: 'Hello.', role: 'toString' } });
  });
});

test('a person can start a stage whose role had no agent any more before the stage began', () => {
  const story = new Story(
    swarmPlan((stages) => stages.map((stage) => (stage.id === 'develop' ? { ...stage, role: 'researcher' } : stage))),
  );
  for (let crashes = 0; crashes < 2; crashes += 1) story.crash('research').tick(10_000);
  story.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
  expect(story.states()).toMatchObject({ research: 'skipped', develop: 'asking' });
  story.tell({ kind: 'decided', escalation: 2, option: 'restart', text: null });
  expect(story.states()).toMatchObject({ develop: 'acting' });
  expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'attempt', seat: 'researcher', conversation: 'fresh' });
});

test('no stage can be called like a file that llmc puts beside the results', () => {
  expect(RESERVED_FILES.toSorted()).toEqual([DIFF_FILE, HANDOFF_FILE, MESSAGES_FOLDER].toSorted());
});
