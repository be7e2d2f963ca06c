import { expect, test } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { NOON, StoredStory } from '../checkpoint/samples.ts';
import { command, forEach, newRun, result, review, swarmPlan, work } from '../next/samples.ts';
import { planRecovery } from './plan-recovery.ts';

const OPTIONS = { retryFailedStage: true, keepAgents: false, dropMessages: false };

/** The work has landed, a command refused it, and a person agreed to take it back. */
async function rolledBack(): Promise<StoredStory> {
  const [, develop, , land] = swarmPlan().stages;
  if (develop?.kind !== 'work' || land?.kind !== 'land') throw new Error('the sample has them');
  const after = command('after', { needs: ['land'], onFailure: { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'develop' }] } } });
  const plan = { ...swarmPlan(), stages: [{ ...develop, needs: [], prompt: 'Build it.' }, { ...land, needs: ['develop'] }, after] };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), newRun(plan, NOON));
  await story.work('develop', 'c1');
  const action = async (step: string) => {
    const { state } = (await story.run()).steps[step] ?? {};
    return state?.kind === 'acting' || state?.kind === 'working' ? state.action : '';
  };
  await story.tell({ kind: 'landed', action: await action('land'), commit: 'm1' });
  await story.tell({ kind: 'checked', action: await action('after'), passed: false, output: '' });
  await story.tell({ kind: 'decided', escalation: 1, option: 'rollback', text: null });
  return story;
}

test('what was undone since the checkpoint is not taken for done, and a landing that is still on main is taken back first', async () => {
  const story = await rolledBack();
  await story.tell({ kind: 'abort', why: 'enough' });
  const checkpoints = await story.checkpoints.list('swarm-1');
  expect(checkpoints[0]?.state?.steps.land?.state.kind).toBe('done');
  const plan = planRecovery(await story.run(), checkpoints, OPTIONS);
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  expect(plan.restored.steps).toMatchObject({ land: { state: { kind: 'waiting' }, result: null }, after: { state: { kind: 'waiting' } } });
  await story.tell({ kind: 'recovered', ...plan.restored });
  const run = await story.run();
  expect(run.steps.develop?.state).toMatchObject({ kind: 'acting', doing: 'undo' });
  expect(run.compensations).toMatchObject([{ landings: [{ commit: 'm1', state: 'pending' }] }]);
});

test('a stage that a person left out while its landing was being taken back stays out', async () => {
  const story = await rolledBack();
  await story.tell({ kind: 'pause', now: true });
  await story.tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'after' } });
  await story.tell({ kind: 'checked', action: await story.action('after'), passed: true, output: '' });
  expect(await story.run()).toMatchObject({ status: 'done', compensations: [{ landings: [{ commit: 'm1', state: 'pending' }] }] });
  const plan = planRecovery(await story.run(), await story.checkpoints.list('swarm-1'), { ...OPTIONS, from: 'after' });
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  await story.tell({ kind: 'recovered', ...plan.restored });
  expect(await story.states()).toEqual({ develop: 'skipped', land: 'skipped', after: 'acting' });
});

test('a rollback of the items that a review named undoes only these', async () => {
  const inconsistent = { after: 1, steps: [{ kind: 'rollback', to: 'sections' }] } as const;
  const stages = [
    forEach('sections', [work('write', 'developer')], { maxParallel: 2 }),
    work('draft', 'researcher', { needs: ['sections'] }),
    review('check', 'draft', { onFailure: { inconsistent } }),
  ];
  const run = { ...newRun({ ...swarmPlan(), stages }, NOON), inputs: { list: ['a', 'b'] } };
  const story = await StoredStory.begin({}, openDatabase(':memory:'), run);
  for (const step of ['write/1', 'write/2', 'draft']) await story.work(step, `c-${step}`);
  const afterDraft = (await story.checkpoints.list('swarm-1')).find(({ state }) => state?.steps.draft?.state.kind === 'done');
  const verdict = { verdict: 'inconsistent', issues: ['1 says a third'], items: ['1'] } as const;
  await story.tell({ kind: 'started', action: await story.action('check') });
  await story.tell({ kind: 'finished', action: await story.action('check') });
  const collect = (await story.run()).steps.check?.state;
  if (collect?.kind !== 'acting') throw new Error('its verdict is collected');
  await story.tell({ kind: 'collected', action: collect.action, result: result({ verdict }) });
  expect((await story.run()).compensations).toMatchObject([{ stage: 'sections', items: ['sections/1'] }]);
  await story.tell({ kind: 'abort', why: 'enough' });
  const plan = planRecovery(await story.run(), await story.checkpoints.list('swarm-1'), { ...OPTIONS, checkpoint: afterDraft?.id });
  if ('kind' in plan) throw new Error(`refused: ${plan.kind}`);
  expect(Object.fromEntries(plan.stages.map(({ stage, fate }) => [stage, fate]))).toMatchObject({
    sections: 'again',
    'sections/1': 'again',
    'sections/2': 'kept',
    'write/2': 'kept',
  });
  await story.tell({ kind: 'recovered', ...plan.restored });
  expect(await story.states()).toMatchObject({ 'write/1': 'acting', 'write/2': 'done', 'sections/2': 'done', draft: 'waiting' });
});
