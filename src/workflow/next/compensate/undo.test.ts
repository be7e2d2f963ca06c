import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { Plan } from '../../definition/plan.ts';
import { NOON, Told } from '../../view/told.fixture.ts';
import { listWaits } from '../../view/waits.ts';
import { command, forEach, swarmPlan, work } from '../samples.ts';

const REFUSED = errorRecord({ id: 'x', code: 'UNDO_REFUSED', message: 'later commits changed a.txt', component: 'develop', at: NOON });
const CRASHED = errorRecord({ id: 'y', code: 'AGENT_CRASHED', message: 'status 1', component: '', at: NOON });
const undos = ({ actions }: Told) => actions.flatMap(({ step, task }) => (task.kind === 'undo' ? [{ step, ...task }] : []));
const kinds = ({ actions }: Told) => actions.map(({ step, task }) => `${step} ${task.kind}`);
const state = ({ run }: Told, step: string) => run.steps[step]?.state.kind;

/** The work lands, and then a command finds that main does not build. */
function plan(by: 'person' | 'run' = 'person'): Plan {
  const [, develop, , land] = swarmPlan().stages;
  if (develop?.kind !== 'work' || land?.kind !== 'land') throw new Error('the sample has them');
  const after = command('after', { needs: ['land'], onFailure: { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'develop' }] } } });
  return { ...swarmPlan(), stages: [{ ...develop, needs: [], prompt: 'Build it.' }, { ...land, by, needs: ['develop'] }, after] };
}

function landed(by?: 'person' | 'run'): Told {
  const told = new Told(plan(by)).work('develop', 'c1').reply('land', { kind: 'started' }).reply('land', { kind: 'landed', commit: 'm1' });
  return told.reply('after', { kind: 'started' }).reply('after', { kind: 'checked', passed: false, output: 'it does not build' });
}

/** A person has agreed to the rollback. */
const agreed = (by?: 'person' | 'run') => landed(by).tell({ kind: 'decided', escalation: 1, option: 'rollback', text: null });

describe('a rollback of something that has landed', () => {
  test.each(['person', 'run'] as const)('by a %s is asked about first, and says what would leave main', (by) => {
    const told = landed(by);
    expect(told.run.escalations).toMatchObject([{ type: 'compensation', deadline: null }]);
    expect(told.run.escalations[0]?.text).toMatch(/would undo what was approved: land\. land would be taken back from main\.$/);
    expect(undos(told)).toEqual([]);
  });

  test('begins again only after main does not have it any more', () => {
    const told = agreed();
    expect(undos(told)).toEqual([{ kind: 'undo', step: 'develop', seat: 'developer', commit: 'm1', offer: null }]);
    expect(told.run.steps.develop?.state).toMatchObject({ kind: 'acting', doing: 'undo' });
    expect(told.run.compensations).toMatchObject([
      { notified: true, reason: 'a command of after failed', landings: [{ step: 'land', commit: 'm1', state: 'pending' }] },
    ]);
    expect(listWaits(told.run, [])).toMatchObject([{ kind: 'llmc', step: 'develop', doing: 'undo' }]);
    told.reply('develop', { kind: 'undone', revert: 'r1' });
    expect(told.run.compensations).toMatchObject([{ landings: [{ state: 'undone', revert: 'r1' }] }]);
    expect(told.history.map(({ text }) => text)).toContain('m1 is taken back by r1');
    expect(kinds(told).slice(-2)).toEqual(['develop undo', 'develop attempt']);
    const again = told.actions.at(-1)?.task;
    expect(again).toMatchObject({ kind: 'attempt', base: null, continues: [] });
  });

  test('lands again with new work', () => {
    const told = agreed().reply('develop', { kind: 'undone', revert: 'r1' }).work('develop', 'c2');
    expect(told.actions.at(-1)?.task).toMatchObject({ kind: 'land', commit: 'c2' });
  });
});

describe('an undo that is refused', () => {
  const refused = () => agreed().reply('develop', { kind: 'failed', error: REFUSED });

  test('asks a person and waits for ever: main has the work still', () => {
    const told = refused().tell({ kind: 'tick' }, 48 * 3_600_000);
    expect(told.run.escalations.at(-1)).toMatchObject({
      type: 'compensation',
      step: 'develop',
      options: ['rollback', 'keep', 'abort'],
      deadline: null,
      answer: null,
      text: 'To go back to develop, m1 (land) must be taken back, and that failed: later commits changed a.txt',
    });
    expect(told.run.compensations).toMatchObject([{ landings: [{ state: 'pending' }] }]);
    expect(state(told, 'develop')).toBe('asking');
    expect(kinds(told).filter((kind) => kind === 'develop attempt')).toHaveLength(1);
  });

  test('is tried again when the person says so', () => {
    const told = refused().tell({ kind: 'decided', escalation: 2, option: 'rollback', text: null });
    expect(undos(told)).toHaveLength(2);
    told.reply('develop', { kind: 'undone', revert: null });
    expect(told.run.compensations).toMatchObject([{ landings: [{ state: 'undone', revert: null }] }]);
    expect(state(told, 'develop')).toBe('acting');
  });

  test('can stay on main: the stage begins again on top of it, marked', () => {
    const told = refused().tell({ kind: 'decided', escalation: 2, option: 'keep', text: null });
    expect(told.run.compensations).toMatchObject([{ landings: [{ state: 'kept' }] }]);
    expect(told.run.steps.develop).toMatchObject({ marks: ['landing kept'], state: { kind: 'acting', doing: 'attempt' } });
    expect(told.run.warnings).toContain('m1, which land landed, stays.');
  });

  test('ends the run when the person says so, and the history says that nothing was undone', () => {
    const told = refused().tell({ kind: 'decided', escalation: 2, option: 'abort', text: null });
    expect(told.run).toMatchObject({ status: 'aborted', compensations: [{ landings: [{ state: 'pending' }] }] });
  });
});

test('an undo that ends after the run was aborted is in its history', () => {
  const told = agreed();
  const action = told.actions.findLast(({ task }) => task.kind === 'undo')?.id ?? '';
  told.tell({ kind: 'abort', why: 'enough' }).tell({ kind: 'undone', action, revert: 'r1' });
  expect(told.run).toMatchObject({ status: 'aborted', compensations: [{ landings: [{ state: 'undone', revert: 'r1' }] }] });
});

test('an undo that ends after a person left its stage out is in the history of the run', () => {
  const told = agreed().tell({ kind: 'pause', now: true });
  told.tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'after' } });
  expect([state(told, 'develop'), state(told, 'land')]).toEqual(['skipped', 'skipped']);
  told.reply('develop', { kind: 'undone', revert: 'r1' });
  expect(told.run).toMatchObject({ status: 'running', compensations: [{ landings: [{ state: 'undone', revert: 'r1' }] }] });
  expect(state(told, 'develop')).toBe('skipped');
});

test('a rollback to an earlier stage takes over what the first one has not taken back yet', () => {
  const [research] = swarmPlan().stages;
  if (research === undefined) throw new Error('the sample has it');
  const [develop, ...rest] = plan().stages;
  if (develop === undefined) throw new Error('the plan has it');
  const told = new Told({ ...plan(), stages: [research, { ...develop, needs: ['research'] }, ...rest] })
    .work('research')
    .work('develop', 'c1');
  told.reply('land', { kind: 'started' }).reply('land', { kind: 'landed', commit: 'm1' });
  told.reply('after', { kind: 'started' }).reply('after', { kind: 'checked', passed: false, output: '' });
  told.tell({ kind: 'decided', escalation: 1, option: 'rollback', text: null });
  told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: { kind: 'again', address: 'research' } });
  expect(told.run.compensations.map(({ stage, landings }) => [stage, landings.map(({ state }) => state)])).toEqual([
    ['develop', []],
    ['research', ['pending']],
  ]);
  expect([state(told, 'research'), state(told, 'develop')]).toEqual(['acting', 'waiting']);
  told.reply('research', { kind: 'undone', revert: 'r1' });
  expect(kinds(told).slice(-2)).toEqual(['research undo', 'research attempt']);
});

test('an undo goes on after a pause', () => {
  const told = agreed().tell({ kind: 'pause', now: false });
  told.reply('develop', { kind: 'undone', revert: 'r1' });
  expect(told.run).toMatchObject({ status: 'paused', compensations: [{ landings: [{ state: 'undone' }] }] });
  expect(state(told, 'develop')).toBe('waiting');
  expect(state(told.tell({ kind: 'resume', how: { kind: 'go_on' } }), 'develop')).toBe('acting');
});

describe('landings of several items', () => {
  const land = (told: Told, key: string, commit: string) =>
    told.work(`develop/${key}`, `c${key}`).reply(`land/${key}`, { kind: 'started' }).reply(`land/${key}`, { kind: 'landed', commit });

  function stories(): Plan {
    const [, , , landing] = swarmPlan().stages;
    if (landing?.kind !== 'land') throw new Error('the sample has it');
    const all = forEach('stories', [work('develop', 'developer'), { ...landing, needs: ['develop'] }], { maxParallel: 3 });
    const after = command('after', {
      needs: ['stories'],
      onFailure: { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'stories' }] } },
    });
    return { ...swarmPlan(), stages: [all, after] };
  }

  test('are taken back one after the other, the newest first', () => {
    const told = land(land(new Told(stories(), { list: ['a', 'b'] }), '1', 'm1'), '2', 'm2');
    told.reply('after', { kind: 'started' }).reply('after', { kind: 'checked', passed: false, output: '' });
    told.tell({ kind: 'decided', escalation: 1, option: 'rollback', text: null });
    expect(undos(told).map(({ commit }) => commit)).toEqual(['m2']);
    expect(Object.keys(told.run.steps)).toEqual(['stories', 'after']);
    told.reply('stories', { kind: 'undone', revert: 'r2' });
    expect(undos(told).map(({ commit }) => commit)).toEqual(['m2', 'm1']);
    told.reply('stories', { kind: 'undone', revert: 'r1' });
    expect(state(told, 'develop/1')).toBe('acting');
  });

  test('that wait for a review are withdrawn, so that nobody accepts what is made again', () => {
    const told = new Told(stories(), { list: ['a'] }).work('develop/1', 'c1').reply('land/1', { kind: 'started' });
    const offer = told.action('land/1');
    told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: { kind: 'again', address: 'stories' } });
    expect(undos(told)).toMatchObject([{ commit: null, offer, seat: 'developer' }]);
    told.reply('stories', { kind: 'undone', revert: null });
    expect(told.history.map(({ text }) => text)).toContain('its work is not offered for review any more');
    expect(state(told, 'develop/1')).toBe('acting');
  });

  /** The work of the first story waits for a review when its other stage is lost, and so is the second story. */
  function lost(): { readonly told: Told; readonly offer: string } {
    const [research, , , landing] = swarmPlan().stages;
    if (landing?.kind !== 'land' || research?.kind !== 'work') throw new Error('the sample has them');
    const onFailure = { crash: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } } as const;
    const stages = [
      work('develop', 'developer', { onFailure }),
      { ...landing, needs: ['develop'] },
      { ...research, id: 'notes', needs: ['develop'], onFailure },
    ];
    const told = new Told(
      { ...swarmPlan(), stages: [forEach('stories', stages, { require: { done: { min: 1 } } })] },
      { list: ['a', 'b'] },
    );
    told.work('develop/1', 'c1').reply('land/1', { kind: 'started' });
    const offer = told.action('land/1');
    for (const step of ['notes/1', 'develop/2']) told.reply(step, { kind: 'started' }).reply(step, { kind: 'crashed', error: CRASHED });
    expect(told.run.steps['land/1']).toMatchObject({ state: { kind: 'skipped' }, offer });
    expect(told.run.escalations).toMatchObject([{ type: 'quality_floor', step: 'stories' }]);
    return { told, offer };
  }

  test('that wait for a review are withdrawn before a person lets the lost items run again', () => {
    const { told, offer } = lost();
    told.tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    expect(undos(told)).toEqual([{ kind: 'undo', step: 'stories', seat: 'developer', commit: null, offer }]);
    const record = { stage: 'stories', action: 'retry', steps: ['develop/1'] };
    expect(told.run.compensations).toMatchObject([{ ...record, landings: [{ step: 'land/1', offer, state: 'pending' }] }]);
    expect([state(told, 'stories'), state(told, 'stories/1'), state(told, 'stories/2')]).toEqual(['acting', 'waiting', 'waiting']);
    told.reply('stories', { kind: 'undone', revert: null });
    expect(told.run.compensations).toMatchObject([{ landings: [{ offer, state: 'undone' }] }]);
    expect([state(told, 'stories'), state(told, 'develop/1'), state(told, 'develop/2')]).toEqual(['under_way', 'acting', 'acting']);
  });

  test('that a person accepted meanwhile are taken back, as the history of the run says', () => {
    const { told, offer } = lost();
    told.tell({ kind: 'decided', escalation: 1, option: 'restart', text: null }).tell({ kind: 'landed', action: offer, commit: 'm1' });
    told.reply('stories', { kind: 'undone', revert: 'r1' });
    expect(told.run.compensations).toMatchObject([{ landings: [{ step: 'land/1', state: 'undone', revert: 'r1' }] }]);
    expect(state(told, 'develop/1')).toBe('acting');
  });
});
