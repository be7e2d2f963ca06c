import { describe, expect, test } from 'vitest';
import type { Plan } from '../../definition/plan.ts';
import { planRecovery } from '../../recover/plan-recovery.ts';
import { NOON, Told } from '../../view/told.fixture.ts';
import { command, forEach, swarmPlan, work } from '../samples.ts';

const undos = ({ actions }: Told) => actions.flatMap(({ task }) => (task.kind === 'undo' ? [task] : []));

const LIST = { list: ['a', 'b'] };

/** Stories that land, for at most an hour together; then a command. */
function plan(by: 'person' | 'run'): Plan {
  const land = swarmPlan().stages.find(({ kind }) => kind === 'land');
  if (land?.kind !== 'land') throw new Error('the sample has it');
  const stories = forEach('stories', [work('develop', 'developer'), { ...land, by, needs: ['develop'] }], {
    timeoutMs: 3_600_000,
    onFailure: { timeout: { after: 1, steps: [{ kind: 'skip', mark: 'partial' }] } },
  });
  const onFailure = { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'stories' }] } } as const;
  return { ...swarmPlan(), stages: [stories, command('after', { needs: ['stories'], onFailure })] };
}

/** The work of the first story is being landed, or waits for a person; the agent of the second hangs. */
const landing = (by: 'person' | 'run' = 'run') =>
  new Told(plan(by), LIST).work('develop/1', 'c1').reply('land/1', { kind: 'started' }).reply('develop/2', { kind: 'started' });
const timedOut = (by?: 'person' | 'run') => landing(by).tell({ kind: 'tick' }, 2 * 3_600_000);

describe('a landing that ends after its item was left out', () => {
  test.each(['person', 'run'] as const)('(by a %s) is in the run: main has the work', (by) => {
    const told = timedOut(by);
    expect(told.run.steps['land/1']?.state.kind).toBe('skipped');
    told.reply('land/1', { kind: 'landed', commit: 'm1' });
    expect(told.run.steps['land/1']).toMatchObject({ state: { kind: 'skipped' }, result: { commit: 'm1' }, marks: ['landed late'] });
    expect(told.run.warnings).toContain('The work of land/1 landed as m1 after it was left out.');
    expect(told.history.map(({ text }) => text)).toContain('landed as m1 after it was left out');
  });

  test('is asked about before a rollback, which takes it back', () => {
    const told = timedOut().reply('land/1', { kind: 'landed', commit: 'm1' });
    told.reply('after', { kind: 'started' }).reply('after', { kind: 'checked', passed: false, output: '' });
    expect(told.run.escalations).toMatchObject([{ type: 'compensation' }]);
    told.tell({ kind: 'decided', escalation: 1, option: 'rollback', text: null });
    expect(undos(told)).toMatchObject([{ commit: 'm1', offer: null }]);
  });

  test('is taken back by a rollback that comes before its report, which then changes nothing', () => {
    const told = timedOut();
    const action = told.action('land/1');
    told.reply('after', { kind: 'started' }).reply('after', { kind: 'checked', passed: false, output: '' });
    expect(undos(told)).toMatchObject([{ commit: null, offer: action }]);
    told.tell({ kind: 'landed', action, commit: 'm1' });
    expect(told.run.compensations).toMatchObject([{ landings: [{ offer: action, state: 'pending' }] }]);
    expect(told.run.warnings.filter((text) => text.includes('m1'))).toEqual([]);
  });

  test('is in a run that is paused', () => {
    const told = timedOut().tell({ kind: 'pause', now: true }).reply('land/1', { kind: 'landed', commit: 'm1' });
    expect(told.run.steps['land/1']?.result?.commit).toBe('m1');
  });
});

describe('a landing that ends after the run was aborted', () => {
  const checkpoint = (told: Told, id: string) => ({
    id,
    type: 'manual' as const,
    at: NOON,
    note: '',
    version: told.run.version,
    completed: [],
    pending: [],
    state: told.run,
  });
  const options = { retryFailedStage: true, keepAgents: false, dropMessages: false, checkpoint: 'c' };
  const recovered = (told: Told) => {
    const found = planRecovery(told.run, [checkpoint(new Told(plan('run'), LIST), 'c')], options);
    if ('kind' in found) throw new Error(found.kind);
    return told.tell({ kind: 'recovered', ...found.restored });
  };

  test('is in the run', () => {
    const told = landing().tell({ kind: 'abort', why: 'enough' }).reply('land/1', { kind: 'landed', commit: 'm1' });
    expect(told.run).toMatchObject({ status: 'aborted', steps: { 'land/1': { result: { commit: 'm1' } } } });
  });

  test('is not done again after a recovery from a checkpoint before it', () => {
    const told = recovered(landing().tell({ kind: 'abort', why: 'enough' }).reply('land/1', { kind: 'landed', commit: 'm1' }));
    expect(told.run.steps).toMatchObject({ 'develop/1': { state: { kind: 'done' } }, 'land/1': { state: { kind: 'done' } } });
  });

  test('is known when its report comes after such a recovery', () => {
    const told = landing().tell({ kind: 'abort', why: 'enough' });
    const action = told.action('land/1');
    recovered(told).tell({ kind: 'landed', action, commit: 'm1' });
    expect(told.run.steps['land/1']).toMatchObject({ state: { kind: 'done' }, result: { commit: 'm1' } });
  });
});
