import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { offerWorker, taskChoices } from './offer-worker.ts';

test.each<[string, Parameters<typeof scratchWork>[0], object, object | null]>([
  ['an idle worker is there', {}, {}, null],
  ['the idle worker has another agent', {}, { agent: 'codex' }, { name: 'bea', agent: 'codex', model: null }],
  ['the idle worker has another model', {}, { model: 'tiny' }, { name: 'bea', agent: 'claude', model: 'tiny' }],
  ['the only worker is at work', { worker: { status: 'working' } }, {}, { name: 'bea', agent: 'claude', model: null }],
  ['the only worker comes up', { worker: { status: 'offline', status_before_offline: 'idle' } }, {}, null],
])('a worker is offered as it is needed: %s', async (_, options, wish, expected) => {
  await using work = await scratchWork(options);
  expect(await offerWorker(work.context, wish)).toEqual(expected);
});

test('an agent that nothing declares is refused', async () => {
  await using work = await scratchWork();
  await expect(offerWorker(work.context, { agent: 'nobody' })).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
});

test('the choices begin with the agent that a task gets without one, and have the models that llmc knows', async () => {
  await using work = await scratchWork();
  expect(await taskChoices(work.context)).toEqual([
    { agent: 'claude', models: ['opus', 'sonnet', 'haiku'] },
    { agent: 'demo', models: [] },
    { agent: 'codex', models: [] },
  ]);
});
