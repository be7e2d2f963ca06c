import { expect, test } from 'vitest';
import type { ItemStage } from '../definition/plan.ts';
import { Told } from '../view/told.fixture.ts';
import { forEach, result, review, swarmPlan, work } from './samples.ts';

const seatOf = ({ run }: Told, step: string) => run.steps[step]?.seat;

/** The first item is done, and its author is at work on the third one; then a person runs a stage of the first again. */
function again(stages: readonly ItemStage[], address: string, finish: (told: Told, key: string) => Told): Told {
  const told = new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: 2 })] }, { list: ['a', 'b', 'c'] });
  finish(told.work('write/1', 'c1'), '1');
  expect([seatOf(told, 'write/1'), seatOf(told, 'write/2'), seatOf(told, 'write/3')]).toEqual([1, 2, 1]);
  told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: { kind: 'again', address } });
  return finish(told.work('write/2', 'c2'), '2');
}

test('remarks about work whose author is at work on another item go to another worker, which goes on from the result', () => {
  const reviewed = [work('write', 'developer'), review('check', 'write', { maxRounds: 2 })];
  const told = again(reviewed, 'check/1', (each, key) => each.judge(`check/${key}`)).judge('check/1', 'no test');
  expect([seatOf(told, 'write/1'), seatOf(told, 'write/3')]).toEqual([2, 1]);
  const { step, task } = told.actions.at(-1) ?? {};
  expect([step, task]).toMatchObject([
    'write/1',
    { kind: 'attempt', seat: 'developer-2', conversation: 'fresh', continues: [], base: 'c1' },
  ]);
  expect(task?.kind === 'attempt' && task.prompt).toMatch(/^Another agent has done this task, [\s\S]*\n- no test\n/);
  expect(told.work('write/1', 'c3').run.steps['check/1']).toMatchObject({ round: 2, state: { kind: 'acting' } });
});

test('a worker that goes on from files of another one gets to read them', () => {
  const stages = [
    work('write', 'developer', { output: { kind: 'files', files: [{ path: 'section.md', schema: undefined }] } }),
    review('check', 'write', { maxRounds: 2 }),
  ];
  const told = again(stages, 'check/1', (each, key) => each.judge(`check/${key}`));
  const artifacts = { 'section.md': { path: 'artifacts/write/1-section.md', sha256: 'h', value: null } };
  const written = told.run.steps['write/1'];
  if (written === undefined) throw new Error('the first item is written');
  told.run = { ...told.run, steps: { ...told.run.steps, 'write/1': { ...written, result: result({ artifacts }) } } };
  told.judge('check/1', 'too short');
  expect(told.actions.at(-1)?.task).toMatchObject({
    kind: 'attempt',
    reads: ['write/1'],
    prompt: expect.stringContaining('in/write/1/section.md'),
  });
});

test('work whose author has had another task since, and rests, goes to a worker that begins from its result too', () => {
  const reviewed = [work('write', 'developer'), review('check', 'write', { maxRounds: 2 })];
  const told = again(reviewed, 'check/1', (each, key) => each.judge(`check/${key}`));
  told.work('write/3', 'c3').judge('check/3').judge('check/1', 'no test');
  expect(told.actions.at(-1)).toMatchObject({ step: 'write/1', task: { kind: 'attempt', conversation: 'fresh', base: 'c1' } });
});

test('work lands again by a worker that is free, if its author is at work on another item', () => {
  const [, , , landing] = swarmPlan().stages;
  if (landing?.kind !== 'land') throw new Error('the sample has it');
  const land = (told: Told, key: string) =>
    told.reply(`land/${key}`, { kind: 'started' }).reply(`land/${key}`, { kind: 'landed', commit: `m${key}` });
  const told = again([work('write', 'developer'), { ...landing, of: 'write', needs: ['write'] }], 'land/1', land);
  told.reply('all', { kind: 'undone', revert: 'r1' });
  expect(told.actions.at(-1)).toMatchObject({ step: 'land/1', task: { kind: 'land', seat: 'developer-2', commit: 'c1' } });
  expect(seatOf(told, 'write/3')).toBe(1);
});

test('remarks that reach no worker any more begin the work again on the result that was reviewed', () => {
  const stages = [work('write', 'developer'), review('check', 'write', { maxRounds: 2 })];
  const told = new Told({ ...swarmPlan(), stages }).work('write', 'c1').judge('check', 'no test');
  expect(told.actions.at(-1)).toMatchObject({ step: 'write', task: { kind: 'follow_up' } });
  told.reply('write', { kind: 'lost' });
  expect(told.actions.at(-1)).toMatchObject({ step: 'write', task: { kind: 'attempt', base: 'c1' } });
});

test('a stage of an item begins again only when what the item had landed is taken back', () => {
  const [, , , landing] = swarmPlan().stages;
  if (landing?.kind !== 'land') throw new Error('the sample has it');
  const stages: readonly ItemStage[] = [
    work('write', 'developer'),
    { ...landing, of: 'write', needs: ['write'] },
    work('polish', 'developer', { needs: ['land'] }),
  ];
  const told = new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: 2 })] }, { list: ['a'] }).work('write/1', 'c1');
  told.reply('land/1', { kind: 'started' }).reply('land/1', { kind: 'landed', commit: 'm1' });
  const attempts = () => told.actions.filter(({ step, task }) => step === 'write/1' && task.kind === 'attempt').length;
  told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: { kind: 'again', address: 'write/1' } });
  expect(attempts()).toBe(1);
  told.reply('all', { kind: 'undone', revert: 'r1' });
  expect(attempts()).toBe(2);
});

test('remarks go to another worker when the author had a later task of an item that begins again meanwhile', () => {
  const reviewed = [work('write', 'developer'), review('check', 'write', { maxRounds: 2 })];
  const plan = { ...swarmPlan(), stages: [forEach('all', reviewed, { maxParallel: 1, key: 'id', after: 'after' })] };
  const told = new Told(plan, { list: [{ id: 'a' }, { id: 'b', after: ['a'] }] }).work('write/a', 'c1').judge('check/a');
  told.reply('write/b', { kind: 'started' });
  expect([seatOf(told, 'write/a'), seatOf(told, 'write/b')]).toEqual([1, 1]);
  told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: { kind: 'again', address: 'check/a' } });
  told.judge('check/a', 'no test');
  expect(told.actions.at(-1)).toMatchObject({ step: 'write/a', task: { kind: 'attempt', conversation: 'fresh', base: 'c1' } });
});
