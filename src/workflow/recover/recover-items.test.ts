import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { openDatabase } from '../../store/database.ts';
import { NOON, StoredStory } from '../checkpoint/samples.ts';
import { isOver, type Step } from '../model/run.ts';
import { forEach, newRun, result, review, swarmPlan, work } from '../next/samples.ts';
import { planRecovery, type RecoverOptions } from './plan-recovery.ts';
import { recoveryRefusalText } from './recovery-text.ts';
import { settleItems } from './settle-items.ts';

const OPTIONS: RecoverOptions = { retryFailedStage: true, keepAgents: false, dropMessages: false };

const LEFT = { kind: 'skipped', why: 'the run ended', cause: 'condition' } as const;

/** Four items with two at a time: the first is done, the second and the third are under way, the fourth waits. */
async function begun(): Promise<StoredStory> {
  const stories = forEach('stories', [work('develop', 'developer'), work('tell', 'developer', { needs: ['develop'] })]);
  const plan = { ...swarmPlan(), stages: [stories, work('summary', 'researcher', { needs: ['stories'] })] };
  const run = { ...newRun(plan, NOON), inputs: { list: ['a', 'b', 'c', 'd'] } };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), run);
  await story.work('develop/1', 'c1');
  await story.work('tell/1');
  await story.work('develop/2', 'c2');
  return story;
}

async function recover(story: StoredStory, options: Partial<RecoverOptions> = {}): Promise<Readonly<Record<string, string>>> {
  const plan = planRecovery(await story.run(), await story.checkpoints.list('swarm-1'), { ...OPTIONS, ...options });
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  await story.tell({ kind: 'recovered', ...plan.restored });
  return Object.fromEntries(plan.stages.map(({ stage, fate }) => [stage, fate]));
}

test('a run that was aborted among its items goes on with them: what is done stays, what was under way runs again', async () => {
  const story = await begun();
  await story.tell({ kind: 'abort', why: 'enough' });
  expect(await recover(story)).toEqual({
    stories: 'again',
    'stories/1': 'kept',
    'develop/1': 'kept',
    'tell/1': 'kept',
    'stories/2': 'again',
    'develop/2': 'kept',
    'tell/2': 'again',
    'stories/3': 'again',
    'develop/3': 'again',
    'tell/3': 'waits',
    'stories/4': 'waits',
    summary: 'waits',
  });
  expect(await story.states()).toMatchObject({ stories: 'under_way', 'develop/1': 'done', 'tell/2': 'acting', 'develop/3': 'acting' });
  for (const step of ['tell/2', 'develop/3', 'tell/3', 'develop/4', 'tell/4']) await story.work(step, step);
  expect(await story.states()).toMatchObject({ stories: 'done', summary: 'acting' });
});

test('from a checkpoint before the list was read, what was done since is done again', async () => {
  const story = await begun();
  await story.tell({ kind: 'abort', why: 'enough' });
  const first = (await story.checkpoints.list('swarm-1')).find(({ type }) => type === 'session_start');
  const fates = await recover(story, { checkpoint: first?.id });
  expect(fates).toMatchObject({ stories: 'again', 'stories/1': 'repeated', 'stories/4': 'waits' });
  expect(await story.states()).toMatchObject({ 'stories/1': 'waiting', 'stories/2': 'under_way', 'stories/3': 'under_way' });
});

test('a run that an item ended runs the failed stage of this item again', async () => {
  const story = await begun();
  await story.lose('develop/3');
  expect(await story.states()).toMatchObject({ 'develop/3': 'failed', 'tell/2': 'skipped' });
  expect(await recover(story)).toMatchObject({ 'stories/3': 'again', 'develop/3': 'again', 'tell/2': 'again', 'stories/1': 'kept' });
  expect(await story.states()).toMatchObject({ 'develop/3': 'acting', 'tell/2': 'acting' });
});

test('recovered from one stage of an item, the other stages of the item that were not done go on too', async () => {
  const stories = forEach('stories', [work('text', 'developer'), work('figures', 'researcher')]);
  const run = { ...newRun({ ...swarmPlan(), stages: [stories] }, NOON), inputs: { list: ['a'] } };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), run);
  await story.tell({ kind: 'abort', why: 'enough' });
  expect(await recover(story, { from: 'text/1' })).toMatchObject({ 'stories/1': 'reopened', 'text/1': 'undone', 'figures/1': 'again' });
  expect(await story.states()).toMatchObject({ 'text/1': 'acting', 'figures/1': 'acting' });
});

test('a list that went on without some of its items still lacks them', async () => {
  const skip = (mark?: string) => ({ after: 1, steps: [{ kind: 'skip', mark }] }) as const;
  const all = forEach('all', [work('write', 'developer')], {
    require: { done: { min: 2 } },
    onFailure: { unmet: skip('partial'), crash: skip() },
  });
  const plan = { ...swarmPlan(), stages: [all, work('join', 'researcher', { needs: ['all'] })] };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), { ...newRun(plan, NOON), inputs: { list: ['a', 'b'] } });
  await story.work('write/1', 'c1');
  await story.crash('write/2');
  const { losses } = await story.run();
  expect(losses).toMatchObject([{ step: 'write/2' }, { step: 'all', impact: '1 of 2 items is missing' }]);
  await story.tell({ kind: 'abort', why: 'enough' });
  expect(await recover(story)).toMatchObject({ all: 'kept', join: 'again' });
  expect((await story.run()).losses).toEqual(losses);
  await story.tell({ kind: 'abort', why: 'enough' });
  await recover(story, { from: 'all' });
  expect((await story.run()).losses).toEqual([]);
});

test('a stage that ended the run and is left out now is missing, and no longer ends anything', async () => {
  const stages = [work('one', 'developer', { needs: [] }), work('two', 'researcher', { needs: [] })];
  const story = await StoredStory.begin({}, openDatabase(':memory:'), newRun({ ...swarmPlan(), stages }, NOON));
  await story.lose('one');
  expect((await story.run()).losses).toMatchObject([{ step: 'one', mitigation: 'the run ends, and what is there is kept' }]);
  expect(await recover(story, { retryFailedStage: false })).toMatchObject({ one: 'skipped', two: 'again' });
  expect((await story.run()).losses).toMatchObject([{ step: 'one', mitigation: 'the later stages go on without it, and are told so' }]);
});

test('a stage that the workflow file lets end the run, and that a recovery leaves out, is missing', async () => {
  const one = work('one', 'developer', { needs: [], onFailure: { crash: { after: 1, steps: [{ kind: 'abort' }] } } });
  const stages = [one, work('two', 'researcher', { needs: [] })];
  const story = await StoredStory.begin({}, openDatabase(':memory:'), newRun({ ...swarmPlan(), stages }, NOON));
  await story.crash('one');
  expect((await story.run()).losses).toEqual([]);
  await recover(story, { retryFailedStage: false });
  expect(await story.run()).toMatchObject({
    losses: [{ step: 'one', impact: 'its result is missing' }],
    warnings: ['one is left out: it failed, and the recovery skipped it'],
    level: 'reduced',
  });
});

test('what was undone after the checkpoint stays undone: its results lie in the archive', async () => {
  const back = { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'outline' }] } } as const;
  const list = forEach('all', [work('write', 'developer')], { needs: ['outline'], require: { done: { min: 5 } }, onFailure: back });
  const plan = { ...swarmPlan(), stages: [work('outline', 'researcher'), list] };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), { ...newRun(plan, NOON), inputs: { list: ['a'] } });
  await story.work('outline', 'c1');
  await story.work('write/1', 'c2');
  expect((await story.run()).compensations).toMatchObject([{ stage: 'outline', steps: ['write/1', 'outline'] }]);
  await story.tell({ kind: 'abort', why: 'enough' });
  for (const { id } of await story.checkpoints.list('swarm-1')) {
    const found = planRecovery(await story.run(), await story.checkpoints.list('swarm-1'), { ...OPTIONS, checkpoint: id });
    const steps = 'kind' in found ? {} : found.restored.steps;
    expect(Object.values(steps).flatMap(({ result }) => result?.commit ?? [])).toEqual([]);
  }
  await recover(story);
  expect(await story.states()).toEqual({ outline: 'acting', all: 'waiting' });
});

test('what a person left out after the checkpoint stays out, and its item too', async () => {
  const story = await begun();
  await story.tell({ kind: 'pause', now: true });
  await story.tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'summary' } });
  await story.tell({ kind: 'abort', why: 'enough' });
  expect(await recover(story)).toMatchObject({ 'stories/3': 'kept', 'stories/4': 'kept' });
  expect(await story.states()).toMatchObject({ stories: 'done', 'stories/3': 'skipped', 'develop/3': 'skipped', summary: 'acting' });
});

test('an item that has landed is whole: its review is not waited for after an older checkpoint', async () => {
  const land = swarmPlan().stages.find(({ kind }) => kind === 'land');
  if (land?.kind !== 'land') throw new Error('the sample has a landing');
  const stages = [work('develop', 'developer'), review('check', 'develop'), { ...land, needs: ['check'] }];
  const plan = { ...swarmPlan(), stages: [forEach('stories', stages), work('summary', 'researcher', { needs: ['stories'] })] };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), { ...newRun(plan, NOON), inputs: { list: ['a'] } });
  await story.work('develop/1', 'c1');
  const [old] = await story.checkpoints.list('swarm-1');
  const check = await story.action('check/1');
  await story.tell({ kind: 'started', action: check });
  await story.tell({ kind: 'finished', action: check });
  const approved = result({ verdict: { verdict: 'approved', issues: [] } });
  await story.tell({ kind: 'collected', action: await story.action('check/1'), result: approved });
  await story.tell({ kind: 'landed', action: await story.action('land/1'), commit: 'm' });
  await story.tell({ kind: 'abort', why: 'enough' });
  await recover(story, { checkpoint: old?.id });
  expect(await story.states()).toMatchObject({
    stories: 'done',
    'stories/1': 'done',
    'check/1': 'done',
    'land/1': 'done',
    summary: 'acting',
  });
});

test('items that begin again beyond the window wait for a place', async () => {
  const story = await begun();
  const [old] = await story.checkpoints.list('swarm-1');
  for (const step of ['tell/2', 'develop/3', 'tell/3', 'develop/4']) await story.work(step, step);
  await story.tell({ kind: 'abort', why: 'enough' });
  const { steps } = await story.run();
  const open = settleItems(await story.run(), Object.fromEntries(Object.entries(steps).map(([at, step]) => [at, opened(step)])));
  expect(['1', '2', '3', '4'].map((key) => open[`stories/${key}`]?.state.kind)).toEqual(['under_way', 'under_way', 'waiting', 'waiting']);
  await recover(story, { checkpoint: old?.id });
  expect(await story.states()).toMatchObject({ stories: 'under_way' });
});

const opened = (step: Step): Step => (step.item === null ? step : { ...step, state: { kind: 'under_way', deadline: null } });

test('an item that had begun and has no stages any more waits until it gets them', async () => {
  const story = await begun();
  const { plan, steps } = await story.run();
  const bare = Object.fromEntries(Object.entries(steps).filter(([address]) => !address.endsWith('/2') || address === 'stories/2'));
  expect(bare['stories/2']?.state.kind).toBe('under_way');
  expect(settleItems({ plan }, bare)['stories/2']?.state.kind).toBe('waiting');
});

test('a list that a recovery leaves out keeps the items that are done', async () => {
  const story = await begun();
  const run = await story.run();
  const failed = {
    kind: 'failed',
    error: errorRecord({ id: 'x', code: 'STAGE_FAILED', message: 'm', component: 'stories', at: NOON }),
  } as const;
  const over = Object.values(run.steps).map((step): Step => (isOver(step) ? step : { ...step, state: LEFT }));
  const steps = Object.fromEntries(over.map((step) => [step.address, step.address === 'stories' ? { ...step, state: failed } : step]));
  const options = { ...OPTIONS, retryFailedStage: false };
  const plan = planRecovery({ ...run, status: 'failed', steps }, await story.checkpoints.list('swarm-1'), options);
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  const states = Object.fromEntries(Object.values(plan.restored.steps).map(({ address, state }) => [address, state.kind]));
  expect(states).toMatchObject({
    stories: 'skipped',
    'stories/1': 'done',
    'develop/1': 'done',
    'develop/2': 'done',
    'develop/3': 'skipped',
  });
});

describe('from an item', () => {
  /** Two stories that have landed, a third one that stands on the first, and a summary of all. */
  async function landed(): Promise<StoredStory> {
    const land = swarmPlan().stages.find(({ kind }) => kind === 'land');
    if (land?.kind !== 'land') throw new Error('the sample has a landing');
    const stages = [work('develop', 'developer'), work('tell', 'developer', { needs: ['develop'] }), { ...land, needs: ['tell'] }];
    const stories = forEach('stories', stages, { key: 'id', after: 'after', maxParallel: 3 });
    const plan = { ...swarmPlan(), stages: [stories, work('summary', 'researcher', { needs: ['stories'] })] };
    const list = [{ id: 'a' }, { id: 'b' }, { id: 'c', after: ['a'] }];
    const story = await StoredStory.begin({}, openDatabase(':memory:'), { ...newRun(plan, NOON), inputs: { list } });
    for (const key of ['a', 'b', 'c']) await lands(story, key);
    await story.work('summary', 's');
    expect((await story.run()).status).toBe('done');
    return story;
  }
  const lands = async (story: StoredStory, key: string) => {
    await story.work(`develop/${key}`, `c-${key}`);
    await story.work(`tell/${key}`, `t-${key}`);
    await landing(story, key);
  };
  const landing = async (story: StoredStory, key: string) =>
    await story.tell({ kind: 'landed', action: await story.action(`land/${key}`), commit: `m-${key}` });
  const pending = async (story: StoredStory) =>
    (await story.run()).compensations.at(-1)?.landings.map(({ commit, state }) => `${commit} ${state}`);

  test('of a run that is done, its landing is taken back first; what stood on it begins again too, and the other items stay', async () => {
    const story = await landed();
    expect(await recover(story, { from: 'stories/a' })).toEqual({
      stories: 'reopened',
      'stories/a': 'undone',
      'stories/c': 'undone',
      summary: 'undone',
      'stories/b': 'kept',
      'develop/b': 'kept',
      'tell/b': 'kept',
      'land/b': 'kept',
    });
    expect(await pending(story)).toEqual(['m-c pending', 'm-a pending']);
    expect(await story.states()).toMatchObject({ stories: 'acting', 'stories/a': 'waiting', 'land/b': 'done', summary: 'waiting' });
    for (let times = 0; times < 2; times += 1)
      await story.tell({ kind: 'undone', action: await story.action('stories'), revert: `r-${times}` });
    expect(await story.states()).toMatchObject({ stories: 'under_way', 'develop/a': 'acting', 'stories/c': 'waiting' });
    for (const key of ['a', 'c']) await lands(story, key);
    await story.work('summary', 's2');
    expect((await story.run()).status).toBe('done');
  });

  test('only one of its stages: the stages before it stay', async () => {
    const story = await landed();
    expect(await recover(story, { from: 'tell/b' })).toMatchObject({
      stories: 'reopened',
      'stories/a': 'kept',
      'stories/b': 'reopened',
      'develop/b': 'kept',
      'tell/b': 'undone',
      'land/b': 'undone',
      'stories/c': 'kept',
      summary: 'undone',
    });
    expect(await pending(story)).toEqual(['m-b pending']);
    await story.tell({ kind: 'undone', action: await story.action('stories'), revert: 'r' });
    expect(await story.states()).toMatchObject({ 'develop/b': 'done', 'tell/b': 'acting', 'land/b': 'waiting', 'land/a': 'done' });
    await story.work('tell/b', 'again');
    await landing(story, 'b');
    await story.work('summary', 's2');
    expect((await story.run()).status).toBe('done');
  });

  test.each(['tell/b', 'stories/b'])('%s stays undone in a later recovery, from a checkpoint before it too', async (from) => {
    const story = await landed();
    const [old] = await story.checkpoints.list('swarm-1');
    await recover(story, { from });
    await story.tell({ kind: 'undone', action: await story.action('stories'), revert: 'r' });
    await story.tell({ kind: 'abort', why: 'enough' });
    await recover(story, { checkpoint: old?.id });
    expect(await story.states()).toMatchObject({ 'stories/a': 'done', 'land/b': expect.stringMatching(/waiting/), summary: 'waiting' });
    expect((await story.states())['develop/b']).toBe(from === 'tell/b' ? 'done' : 'acting');
  });

  test('of a run that was aborted, and the items that were under way go on', async () => {
    const story = await begun();
    await story.tell({ kind: 'abort', why: 'enough' });
    expect(await recover(story, { from: 'stories/1' })).toMatchObject({
      stories: 'reopened',
      'stories/1': 'undone',
      'stories/2': 'again',
      'develop/2': 'kept',
      'tell/2': 'again',
      'stories/4': 'waits',
    });
    expect(await story.states()).toMatchObject({ 'stories/1': 'waiting', 'tell/2': 'acting', 'develop/3': 'acting' });
    for (const step of ['tell/2', 'develop/1', 'tell/1', 'develop/3', 'tell/3', 'develop/4', 'tell/4', 'summary'])
      await story.work(step, step);
    expect((await story.run()).status).toBe('done');
  });

  test('that failed brings back what was left out for it', async () => {
    const skip = { crash: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } } as const;
    const stories = forEach('stories', [work('develop', 'developer')], { key: 'id', after: 'after', onFailure: skip });
    const list = [{ id: 'a' }, { id: 'b', after: ['a'] }];
    const plan = { ...swarmPlan(), stages: [stories] };
    const story = await StoredStory.begin({}, openDatabase(':memory:'), { ...newRun(plan, NOON), inputs: { list } });
    await story.crash('develop/a');
    expect(await story.states()).toMatchObject({ 'stories/a': 'failed', 'stories/b': 'skipped' });
    await recover(story, { from: 'stories/b' });
    for (const key of ['a', 'b']) await story.work(`develop/${key}`, key);
    expect(await story.run()).toMatchObject({ status: 'done', losses: [] });
  });

  test('that nobody knows is refused with the items that there are', async () => {
    const story = await begun();
    await story.tell({ kind: 'abort', why: 'enough' });
    const refused = (from: string) => {
      const found = planRecovery(run, [], { ...OPTIONS, from });
      return 'kind' in found ? recoveryRefusalText(run, found) : undefined;
    };
    const run = await story.run();
    const known = 'stages are stories, summary; items of stories: stories/1, stories/2, stories/3, stories/4';
    expect(refused('stories/9')).toEqual({
      code: 'INVALID_ARGUMENT',
      message: `swarm-1 has no stage or item "stories/9"; did you mean "stories/1"? Its ${known}`,
      hint: 'llmc recover swarm-1 --from stories/1 --dry-run',
    });
    expect(refused('elsewhere')).toMatchObject({
      message: `swarm-1 has no stage or item "elsewhere"; its ${known}`,
      hint: 'llmc show swarm-1',
    });
  });
});

describe('from a checkpoint before a list of which one item has landed, and another one is offered for review,', () => {
  async function offered(): Promise<{ readonly story: StoredStory; readonly old: string | undefined; readonly offer: string }> {
    const land = swarmPlan().stages.find(({ kind }) => kind === 'land');
    if (land?.kind !== 'land') throw new Error('the sample has a landing');
    const stages = [work('develop', 'developer'), { ...land, needs: ['develop'] }];
    const stories = forEach('stories', stages, { needs: ['research'], maxParallel: 3 });
    const plan = { ...swarmPlan(), stages: [work('research', 'researcher'), stories] };
    const run = { ...newRun(plan, NOON), inputs: { list: ['a', 'b', 'c'] } };
    const story = await StoredStory.begin({}, openDatabase(':memory:'), run);
    const [old] = await story.checkpoints.list('swarm-1');
    await story.work('research');
    for (const key of ['1', '2']) await story.work(`develop/${key}`, `c${key}`);
    for (const key of ['1', '2']) await story.tell({ kind: 'started', action: await story.action(`land/${key}`) });
    const offer = await story.action('land/2');
    await story.tell({ kind: 'landed', action: await story.action('land/1'), commit: 'm1' });
    await story.tell({ kind: 'abort', why: 'enough' });
    return { story, old: old?.id, offer };
  }

  test('both stay, and the others are made again after what the list needs', async () => {
    const { story, old, offer } = await offered();
    expect(await recover(story, { checkpoint: old })).toEqual({
      research: 'repeated',
      stories: 'waits',
      'stories/1': 'kept',
      'develop/1': 'kept',
      'land/1': 'kept',
      'stories/2': 'waits',
      'develop/2': 'kept',
      'land/2': 'waits',
    });
    expect(await story.states()).toMatchObject({ research: 'acting', stories: 'waiting', 'land/1': 'done', 'land/2': 'waiting' });
    expect((await story.run()).steps['land/2']).toMatchObject({ offer });
    await story.work('research');
    expect(await story.states()).toMatchObject({
      stories: 'under_way',
      'stories/1': 'done',
      'develop/2': 'done',
      'land/2': 'acting',
      'develop/3': 'acting',
    });
  });

  test('a person may land it meanwhile', async () => {
    const { story, old, offer } = await offered();
    await recover(story, { checkpoint: old });
    await story.tell({ kind: 'landed', action: offer, commit: 'm2' });
    expect((await story.run()).steps['land/2']?.result?.commit).toBe('m2');
  });
});

test('two items whose work one worker has had in turn go on with a worker each', async () => {
  const onFailure = { crash: { after: 1, steps: [{ kind: 'ask', options: [] }] } } as const;
  const plan = { ...swarmPlan(), stages: [forEach('stories', [work('develop', 'developer', { onFailure })])] };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), { ...newRun(plan, NOON), inputs: { list: ['a', 'b'] } });
  const [old] = await story.checkpoints.list('swarm-1');
  await story.crash('develop/1');
  await story.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
  await story.tell({ kind: 'pause', now: true });
  await story.tell({ kind: 'resume', how: { kind: 'again', address: 'stories/2' } });
  expect((await story.run()).steps['develop/2']?.seat).toBe(1);
  await story.tell({ kind: 'abort', why: 'enough' });
  await recover(story, { checkpoint: old?.id });
  const { steps } = await story.run();
  expect(['develop/1', 'develop/2'].map((step) => [steps[step]?.state.kind, steps[step]?.seat])).toEqual([
    ['acting', 2],
    ['acting', 1],
  ]);
});
