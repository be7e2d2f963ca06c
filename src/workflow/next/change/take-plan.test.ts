import { describe, expect, test } from 'vitest';
import type { Plan, Stage } from '../../definition/plan.ts';
import { forEach, result, review, Story, sectionsPlan, swarmPlan, work } from '../samples.ts';
import { planChange } from './plan-change.ts';

const NOW = { kind: 'pause', now: true } as const;
const goOnWith = (plan: Plan) => ({ kind: 'resume', how: { kind: 'changed', plan } }) as const;

/** The plan with one of its stages changed. */
const withStage = (plan: Plan, id: string, changes: object): Plan => ({
  ...plan,
  digest: 'other',
  stages: plan.stages.map((stage) => (stage.id === id ? { ...stage, ...changes, digest: 'other' } : stage)),
});

const withInner = (plan: Plan, change: (stages: readonly Stage[]) => readonly Stage[]): Plan => ({
  ...plan,
  digest: 'other',
  stages: plan.stages.map((stage): Stage => {
    if (stage.kind !== 'for_each') return stage;
    const stages = change(stage.stages).flatMap((each) => (each.kind === 'for_each' ? [] : [each]));
    return { ...stage, stages, digest: 'other' };
  }),
});

const otherCheck = (stages: readonly Stage[]) =>
  stages.map((stage) => (stage.id === 'check' ? { ...stage, prompt: 'Be strict.', digest: 'other' } : stage));

/** Two sections of three are done, and the writer of the last one is at work. */
function sections(plan = sectionsPlan({ maxParallel: 1 })): Story {
  const value = { sections: ['s1', 's2', 's3'].map((id) => ({ id, title: id })) };
  const story = new Story(plan).turn('outline');
  const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
  story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
  for (const key of ['s1', 's2']) story.work(`write/${key}`, key).judge(`check/${key}`);
  return story.tell({ kind: 'started', action: story.action('write/s3') });
}

test('a plan that is the same changes nothing', () => {
  const story = sections().tell(NOW);
  expect(planChange(story.run, sectionsPlan({ maxParallel: 1 }))).toEqual({
    changed: [],
    stages: [],
    lists: [],
    added: [],
    removed: [],
    settings: [],
    roles: [],
    refusals: [],
  });
});

test('a stage that changed and what follows it begin again, and what is before it stays', () => {
  const story = new Story().work('research').work('develop', 'c1').judge('review').tell(NOW);
  const plan = withStage(swarmPlan(), 'develop', { prompt: 'Develop it in another way.' });
  expect(planChange(story.run, plan)).toMatchObject({ changed: ['develop'], stages: ['develop', 'review', 'land'], refusals: [] });
  story.tell(goOnWith(plan));
  expect(story.run.plan).toBe(plan);
  // Nobody can accept the old work any more.
  expect(story.actions.at(-1)?.task.kind).toBe('undo');
  story.tell({ kind: 'undone', action: story.action('develop'), revert: null });
  expect(story.states()).toEqual({ research: 'done', develop: 'acting', review: 'waiting', land: 'waiting' });
  expect(story.run.compensations).toMatchObject([{ stage: 'develop', reason: 'the workflow has changed' }]);
  expect(story.records.filter(({ kind }) => kind === 'plan')).toHaveLength(1);
  const prompts = story.actions.flatMap(({ step, task }) => (task.kind === 'attempt' && step === 'develop' ? [task.prompt] : []));
  expect(prompts.at(-1)).toContain('Develop it in another way.');
  expect(story.tasks('research')).not.toContain('research: archive');
});

test('other times and reactions count from now on, and nothing begins again', () => {
  const story = new Story().work('research').tell(NOW);
  const plan = withStage(swarmPlan(), 'research', {
    timeoutMs: 5,
    optional: true,
    onFailure: { crash: { after: 1, steps: [{ kind: 'abort' }] } },
  });
  expect(planChange(story.run, plan)).toMatchObject({ stages: [], settings: ['research'] });
  story.tell(goOnWith(plan));
  expect(story.states()).toMatchObject({ research: 'done', develop: 'acting' });
  expect(story.run.compensations).toEqual([]);
});

test.each([
  ['fallback', { fallback: 'claude' }],
  ['fallback, which is gone', { fallback: undefined }],
  ['agent', { agent: 'claude' }],
  ['model', { model: 'large' }],
  ['when_unavailable', { whenUnavailable: 'ask' as const }],
])('a role with another %s is named', (_, changes) => {
  const { run } = new Story().tell(NOW);
  const { developer, ...roles } = swarmPlan().roles;
  if (developer === undefined) throw new Error('the sample has a developer');
  const change = planChange(run, { ...swarmPlan(), roles: { ...roles, developer: { ...developer, ...changes } } });
  expect(change).toMatchObject({ changed: [], stages: [], settings: [], roles: ['developer'] });
});

test('what all agents of a role are told belongs to the work of its stages', () => {
  const story = new Story().work('research').tell(NOW);
  const plan = swarmPlan();
  const { developer } = plan.roles;
  if (developer === undefined) throw new Error('there is no developer');
  expect(planChange(story.run, { ...plan, roles: { ...plan.roles, developer: { ...developer, prompt: 'Be brief.' } } }).stages).toEqual([
    'develop',
    'review',
    'land',
  ]);
});

test('another agent goes on with what is under way: in the same worktree, in a fresh conversation', () => {
  const story = new Story().work('research').tell({ kind: 'started', action: 'swarm-1.4' }).tell(NOW);
  const plan = swarmPlan();
  const { developer } = plan.roles;
  if (developer === undefined) throw new Error('there is no developer');
  story.tell(goOnWith({ ...plan, roles: { ...plan.roles, developer: { ...developer, agent: 'codex', fallback: undefined } } }));
  expect(story.states()).toMatchObject({ research: 'done', develop: 'acting' });
  expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'attempt', conversation: 'fresh', continues: [expect.anything()] });
});

describe('a stage', () => {
  test('that is new gets its step, and what comes after it begins again', () => {
    const story = new Story().work('research').tell(NOW);
    const plan = swarmPlan(([first, second, ...rest]) =>
      first === undefined || second === undefined
        ? []
        : [first, work('plan', 'researcher', { needs: ['research'] }), { ...second, needs: ['plan'] }, ...rest],
    );
    expect(planChange(story.run, plan)).toMatchObject({ added: ['plan'], removed: [] });
    story.tell(goOnWith(plan));
    expect(Object.keys(story.states())).toEqual(['research', 'plan', 'develop', 'review', 'land']);
    expect(story.states()).toMatchObject({ research: 'done', plan: 'acting', develop: 'waiting' });
    story.work('plan').work('develop', 'c1').judge('review');
    expect(story.states()).toMatchObject({ land: 'acting' });
  });

  test('that is gone has its results in the archive, and the run goes on without it', () => {
    const story = new Story().work('research').work('develop', 'c1').tell(NOW);
    const plan = swarmPlan((stages) =>
      stages.flatMap((stage) => (stage.id === 'review' ? [] : [stage.id === 'land' ? { ...stage, needs: ['develop'] } : stage])),
    );
    story.tell(goOnWith(plan));
    expect(Object.keys(story.states())).toEqual(['research', 'develop', 'land']);
    expect(story.states()).toMatchObject({ develop: 'done', land: 'acting' });
  });

  test('whose work waits for a review begins again after the offer is withdrawn, and cannot be taken out of the plan', () => {
    const story = new Story().work('research').work('develop', 'c1').judge('review');
    story.tell({ kind: 'started', action: story.action('land') }).tell(NOW);
    const without = swarmPlan((stages) => stages.filter(({ id }) => id !== 'land'));
    expect(planChange(story.run, without).refusals).toEqual([{ kind: 'offered', offered: 'land', gone: 'land' }]);
    story.tell(goOnWith(withStage(swarmPlan(), 'develop', { prompt: 'Shorter.' })));
    expect(story.states()).toEqual({ research: 'done', develop: 'acting', review: 'waiting', land: 'waiting' });
    expect(story.tasks('develop').at(-1)).toBe('develop: undo');
  });

  test('whose work has landed stays, and a change before it is refused', () => {
    const story = new Story(swarmPlan((stages) => [...stages, work('docs', 'developer', { needs: ['land'] })]));
    story.work('research').work('develop', 'c1').judge('review');
    story.tell({ kind: 'landed', action: story.action('land'), commit: 'm1' }).tell(NOW);
    const { plan } = story.run;
    expect(planChange(story.run, withStage(plan, 'research', { prompt: 'Look again.' })).refusals).toEqual([
      { kind: 'landed', landed: 'land', because: 'research' },
    ]);
    expect(planChange(story.run, { ...plan, stages: plan.stages.filter(({ id }) => id !== 'land') }).refusals).toContainEqual({
      kind: 'landed',
      landed: 'land',
      because: 'land',
    });
    const { run } = story.tell(goOnWith(withStage(plan, 'research', { prompt: 'Look again.' })));
    expect(run).toMatchObject({ status: 'paused', plan });
    story.tell(goOnWith(withStage(plan, 'docs', { prompt: 'In English.' })));
    expect(story.run.status).toBe('running');
    expect(story.tasks('land')).toEqual(['land: land']);
  });
});

describe('of the items of a list', () => {
  test('only the stages that changed begin again, and the window holds', () => {
    const story = sections().tell(NOW);
    const plan = withInner(sectionsPlan({ maxParallel: 1 }), otherCheck);
    const change = planChange(story.run, plan);
    expect(change).toMatchObject({ changed: ['check'], stages: ['draft'], refusals: [] });
    expect(change.lists).toMatchObject([
      {
        forEach: 'sections',
        items: [
          { item: 'sections/s1', again: ['check/s1'] },
          { item: 'sections/s2', again: ['check/s2'] },
        ],
      },
    ]);
    story.tell(goOnWith(plan));
    expect(story.states()).toMatchObject({ 'write/s1': 'done', 'write/s2': 'done', 'sections/s1': 'waiting', 'write/s3': 'acting' });
    story.work('write/s3').judge('check/s3');
    expect(story.states()).toMatchObject({ 'sections/s1': 'under_way', 'check/s1': 'acting', 'sections/s2': 'waiting' });
    story.judge('check/s1').judge('check/s2').work('draft');
    expect(story.run.status).toBe('done');
    expect(story.tasks('write/s1').filter((task) => task.endsWith('attempt'))).toHaveLength(1);
  });

  test('a new stage is done for the items that had ended, too', () => {
    const story = sections().tell(NOW);
    const plan = withInner(sectionsPlan({ maxParallel: 1 }), (stages) => [...stages, review('style', 'write', { needs: ['check'] })]);
    story.tell(goOnWith(plan)).work('write/s3').judge('check/s3').judge('style/s3').judge('style/s1').judge('style/s2').work('draft');
    expect(story.run.status).toBe('done');
    expect(story.run.compensations).toEqual([]);
  });

  test('a list that ended is open again, and what used it begins again', () => {
    const story = sections();
    story.tell({ kind: 'finished', action: story.action('write/s3') });
    story.tell({ kind: 'collected', action: story.action('write/s3'), result: result() }).judge('check/s3');
    story.tell({ kind: 'started', action: story.action('draft') }).tell(NOW);
    expect(story.states()).toMatchObject({ sections: 'done', draft: 'cooling' });
    story.tell(goOnWith(withInner(sectionsPlan({ maxParallel: 2 }), otherCheck)));
    expect(story.states()).toMatchObject({ sections: 'under_way', draft: 'waiting', 'check/s1': 'acting', 'check/s2': 'acting' });
    expect(story.states()['sections/s3']).toBe('waiting');
  });

  test('another list is read again, with all items', () => {
    const story = sections().tell(NOW);
    const plan = withStage(sectionsPlan({ maxParallel: 1 }), 'sections', { after: undefined });
    expect(planChange(story.run, plan)).toMatchObject({ stages: ['sections', 'draft'], lists: [] });
    story.tell(goOnWith(plan));
    expect(story.states()).toMatchObject({ outline: 'done', 'sections/s1': 'under_way', 'write/s1': 'acting' });
  });

  test('an item whose work has landed stays as it is, and its landing must stay in the plan', () => {
    const land = (changes: object = {}) => ({ ...review('land', 'write'), kind: 'land', by: 'person', of: 'write', ...changes }) as const;
    const inner = (stages: readonly Stage[]) => [...stages, land({ needs: ['check'] })];
    const story = new Story(withInner(sectionsPlan({ maxParallel: 1 }), inner)).turn('outline');
    const value = { sections: ['s1', 's2'].map((id) => ({ id, title: id })) };
    const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
    story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
    story
      .work('write/s1', 'c1')
      .judge('check/s1')
      .tell({ kind: 'landed', action: story.action('land/s1'), commit: 'm1' });
    story.work('write/s2', 'c2').tell(NOW);
    const { plan } = story.run;
    const change = planChange(story.run, withInner(plan, otherCheck));
    expect(change).toMatchObject({ refusals: [], lists: [{ landed: ['sections/s1'] }] });
    expect(planChange(story.run, sectionsPlan({ maxParallel: 1 })).refusals).toEqual([
      { kind: 'landed', landed: 'land/s1', because: 'land' },
    ]);
    expect(planChange(story.run, withStage(plan, 'outline', { prompt: 'Shorter.' })).refusals).toEqual([
      { kind: 'landed', landed: 'land/s1', because: 'outline' },
    ]);
    const added = withInner(plan, (stages) => [...stages, review('style', 'write', { needs: ['check'] })]);
    story.tell(goOnWith(added));
    expect(story.states()).toMatchObject({ 'land/s1': 'done', 'style/s1': 'skipped', 'sections/s1': 'done', 'style/s2': 'waiting' });
  });
});

test.each<[string, (plan: Plan) => Plan, object]>([
  ['another workflow', (plan) => ({ ...plan, name: 'other' }), { kind: 'other_workflow', name: 'other' }],
  ['an input that is gone', (plan) => ({ ...plan, inputs: {} }), { kind: 'input_gone', input: 'task' }],
  [
    'an input of another type',
    (plan) => ({ ...plan, inputs: { task: { type: 'flag', oneOf: [], optional: false } } }),
    { kind: 'input_changed', input: 'task' },
  ],
  [
    'a new input without a value',
    (plan) => ({ ...plan, inputs: { ...plan.inputs, more: { type: 'text', oneOf: [], optional: false } } }),
    { kind: 'input_missing', input: 'more' },
  ],
])('%s is refused', (_, change, refusal) => {
  const { run } = new Story().tell(NOW);
  expect(planChange(run, change(swarmPlan())).refusals).toEqual([refusal]);
});

test('a list that was empty or left out stays, unless its own part changes', () => {
  const list = forEach('sections', [work('write', 'developer')], { of: 'inputs.list' });
  const story = new Story({
    ...swarmPlan(),
    inputs: { list: { type: 'file', oneOf: [], optional: true } },
    stages: [list, work('end', 'developer', { needs: ['sections'] })],
  });
  expect(story.states()).toMatchObject({ sections: 'skipped', end: 'acting' });
  story.tell(NOW);
  const other = {
    ...story.run.plan,
    stages: story.run.plan.stages.map((stage) => (stage.kind === 'for_each' ? { ...stage, maxParallel: 9 } : stage)),
  };
  expect(planChange(story.run, other)).toMatchObject({ stages: [], settings: ['sections'] });
});
