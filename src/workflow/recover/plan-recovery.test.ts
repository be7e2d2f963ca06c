import { describe, expect, test } from 'vitest';
import { NOON, StoredStory } from '../checkpoint/samples.ts';
import { newRun, result, review, swarmPlan } from '../next/samples.ts';
import { planRecovery, type RecoverOptions, type RecoveryPlan } from './plan-recovery.ts';

const DEFAULTS: RecoverOptions = { retryFailedStage: false, keepAgents: false, dropMessages: false };
const RETRY: RecoverOptions = { ...DEFAULTS, retryFailedStage: true };

async function planned(story: StoredStory, options: RecoverOptions): Promise<ReturnType<typeof planRecovery>> {
  return planRecovery(await story.run(), await story.checkpoints.list('swarm-1'), options);
}

function fates(plan: ReturnType<typeof planRecovery>): Readonly<Record<string, string>> {
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  return Object.fromEntries(plan.stages.map(({ stage, fate }) => [stage, fate]));
}

const accepted = (plan: ReturnType<typeof planRecovery>): RecoveryPlan => {
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  return plan;
};

/** The developer's agents are lost, so the run has failed. */
async function failedRun(): Promise<StoredStory> {
  const story = await StoredStory.begin();
  await story.work('research');
  await story.lose('develop');
  return story;
}

describe('a run', () => {
  test('that failed runs its failed stage again, and nothing that was done', async () => {
    expect(fates(await planned(await failedRun(), RETRY))).toEqual({ research: 'kept', develop: 'again', review: 'waits', land: 'waits' });
  });

  test('whose failed stage is needed runs it again, without being told', async () => {
    const plan = accepted(await planned(await failedRun(), DEFAULTS));
    expect(fates(plan)).toEqual({ research: 'kept', develop: 'needed', review: 'waits', land: 'waits' });
    expect(plan.restored.steps.develop).toMatchObject({ state: { kind: 'cooling', redo: { kind: 'attempt' } } });
  });

  test('whose failed stage nobody needs skips it', async () => {
    const story = await StoredStory.begin();
    for (let crashes = 0; crashes < 2; crashes += 1) {
      await story.crash('research');
      await story.tell({ kind: 'tick' }, 60_000);
    }
    await story.tell({ kind: 'decided', escalation: 1, option: 'abort', text: null });
    const plan = accepted(await planned(story, DEFAULTS));
    expect(fates(plan)).toEqual({ research: 'skipped', develop: 'waits', review: 'waits', land: 'waits' });
    expect(plan.restored.steps.research).toMatchObject({ state: { kind: 'skipped' }, marks: ['partial'] });
  });

  test('keeps the mark that its work has for a review without an end, and adds none', async () => {
    const plan = swarmPlan((stages) =>
      stages.map((stage) => (stage.id === 'review' ? review('review', 'develop', { maxRounds: 1 }) : stage)),
    );
    const story = await StoredStory.begin({}, undefined, newRun(plan, NOON));
    await story.work('research');
    await story.work('develop', 'c1');
    await story.tell({ kind: 'started', action: await story.action('review') });
    await story.tell({ kind: 'finished', action: await story.action('review') });
    const verdict = { verdict: 'changes', issues: ['no test'] } as const;
    await story.tell({ kind: 'collected', action: await story.action('review'), result: result({ verdict }) });
    const run = await story.run();
    expect(run.steps).toMatchObject({ review: { state: { kind: 'skipped' } }, develop: { marks: ['partial'] } });
    await story.tell({ kind: 'tick' }, 60_000);
    await story.tell({ kind: 'abort', why: 'enough' });
    const recovery = accepted(await planned(story, DEFAULTS));
    expect(fates(recovery)).toMatchObject({ develop: 'kept', review: 'kept' });
    expect(recovery.restored.steps.develop?.marks).toEqual(['partial']);
  });

  test('that was aborted has no failed stage: what was under way runs again', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await story.tell({ kind: 'abort', why: 'enough' });
    expect(fates(await planned(story, DEFAULTS))).toMatchObject({ research: 'kept', develop: 'again' });
  });

  test('whose work was sent back goes on with the remarks, and the review keeps its round', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await story.work('develop', 'c1');
    await story.tell({ kind: 'started', action: await story.action('review') });
    await story.tell({ kind: 'finished', action: await story.action('review') });
    const verdict = { verdict: 'changes', issues: ['no test'] } as const;
    await story.tell({ kind: 'collected', action: await story.action('review'), result: result({ verdict }) });
    await story.tell({ kind: 'abort', why: 'enough' });
    const plan = accepted(await planned(story, DEFAULTS));
    expect(fates(plan)).toEqual({ research: 'kept', develop: 'again', review: 'waits', land: 'waits' });
    expect(plan.restored.steps.develop).toMatchObject({ round: 2, feedback: expect.stringContaining('no test'), result: { commit: 'c1' } });
    expect(plan.restored.steps.review).toMatchObject({ round: 2, state: { kind: 'waiting' } });
  });

  test.each([
    ['is running', () => StoredStory.begin(), 'not_ended'],
    [
      'is done',
      async () => {
        const story = await StoredStory.begin();
        story.database.exec("UPDATE runs SET status = 'done'");
        return story;
      },
      'done',
    ],
  ])('that %s is refused', async (_name, make, kind) => {
    expect(await planned(await make(), DEFAULTS)).toMatchObject({ kind });
  });
});

describe('the recovery point', () => {
  test('is the newest checkpoint, or the one before a damaged one', async () => {
    const story = await failedRun();
    const [newest, second] = await story.checkpoints.list('swarm-1');
    expect(accepted(await planned(story, RETRY))).toMatchObject({ from: { id: newest?.id }, passedOver: [] });
    story.damage(newest?.id ?? '');
    expect(accepted(await planned(story, RETRY))).toMatchObject({ from: { id: second?.id }, passedOver: [newest?.id] });
  });

  test('before a damaged one repeats no work that is done', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await story.tell({ kind: 'abort', why: 'enough' });
    const [newest, first] = await story.checkpoints.list('swarm-1');
    story.damage(newest?.id ?? '');
    const plan = accepted(await planned(story, DEFAULTS));
    expect([plan.from.id, plan.from.type]).toEqual([first?.id, 'session_start']);
    expect(fates(plan)).toMatchObject({ research: 'kept' });
  });

  test('that a person names repeats what was done after it, but never a landing', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await story.work('develop', 'c1');
    await story.tell({ kind: 'abort', why: 'enough' });
    const { id = '' } = (await story.checkpoints.list('swarm-1')).at(-1) ?? {};
    expect(fates(await planned(story, { ...DEFAULTS, checkpoint: id }))).toEqual({
      research: 'repeated',
      develop: 'repeated',
      review: 'waits',
      land: 'waits',
    });
    const run = await story.run();
    if (run.steps.land === undefined) throw new Error('no landing');
    const steps = { ...run.steps, land: { ...run.steps.land, state: { kind: 'done' } as const } };
    expect(fates(planRecovery({ ...run, steps }, await story.checkpoints.list('swarm-1'), { ...DEFAULTS, checkpoint: id }))).toMatchObject({
      land: 'kept',
    });
  });

  test('that a person names, from before a stage was left out, makes this stage first: the failed one waits for it', async () => {
    const story = await StoredStory.begin();
    for (let crashes = 0; crashes < 2; crashes += 1) {
      await story.crash('research');
      await story.tell({ kind: 'tick' }, 60_000);
    }
    await story.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    await story.lose('develop');
    const { id = '' } = (await story.checkpoints.list('swarm-1')).at(-1) ?? {};
    const waits = { research: 'again', develop: 'waits', review: 'waits', land: 'waits' };
    expect(fates(await planned(story, { ...RETRY, checkpoint: id }))).toEqual(waits);
    expect(fates(await planned(story, { ...DEFAULTS, checkpoint: id }))).toEqual(waits);
  });

  test('that is unknown or damaged is refused by name', async () => {
    const story = await failedRun();
    const list = await story.checkpoints.list('swarm-1');
    expect(await planned(story, { ...RETRY, checkpoint: 'other' })).toEqual({
      kind: 'unknown_checkpoint',
      known: list.map(({ id }) => id),
    });
    story.damage(list[0]?.id ?? '');
    expect(await planned(story, { ...RETRY, checkpoint: list[0]?.id })).toEqual({ kind: 'damaged_checkpoint' });
    for (const { id } of list) story.damage(id);
    expect(await planned(story, RETRY)).toMatchObject({ kind: 'no_checkpoint', damaged: list.map(({ id }) => id) });
  });
});

describe('options', () => {
  test('keep-agents resumes the conversations and keeps a fallback agent; without it, each role has its own agent and a fresh one', async () => {
    const story = await failedRun();
    const kept = accepted(await planned(story, { ...RETRY, keepAgents: true })).restored;
    expect(kept.steps.develop?.state).toMatchObject({ kind: 'cooling', redo: { kind: 'attempt', conversation: 'resume' } });
    expect(kept.roles.developer).toMatchObject({ agent: 'fallback', unavailable: false });
    const fresh = accepted(await planned(story, RETRY)).restored;
    expect(fresh.steps.develop?.state).toMatchObject({ kind: 'cooling', redo: { conversation: 'fresh' } });
    expect(fresh.roles.developer).toMatchObject({ agent: 'own', unavailable: false });
  });

  test('drop-messages drops what waits for a role', async () => {
    const story = await StoredStory.begin();
    await story.tell({ kind: 'message', from: 'person', to: 'reviewer', text: 'hello' });
    await story.tell({ kind: 'abort', why: 'enough' });
    expect(accepted(await planned(story, DEFAULTS)).restored.roles.reviewer?.letters).toHaveLength(1);
    expect(accepted(await planned(story, { ...DEFAULTS, dropMessages: true })).restored.roles.reviewer?.letters).toEqual([]);
  });
});
