import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { insertTask, listTaskReports } from '../../store/tables/tasks.ts';
import { loadAgent } from '../../workers/context.ts';
import { ofRun } from '../../workers/samples.ts';
import { anAssessment, aTmuxWatch, aWatch, BUSY } from '../samples.ts';
import { deliverStep } from './deliver.ts';
import { withdrawNudge } from './withdraw-nudge.ts';

const AT_WORK = { agent: 'demo', status: 'working', incarnation: 1, run: ofRun({ task: { id: 'a1', kind: 'work' } }) } as const;

/** A worker of a run that is asked how far its task is, at 100. */
async function asked(worker: object = AT_WORK) {
  const work = await scratchWork({ worker });
  const { database } = work.context.store;
  insertDelivery(database, { id: 'n1', worker: 'adam', purpose: 'nudge', text: 'How far?', fresh_conversation: 0, created_ms: 100 });
  return { work, database, state: () => findDelivery(database, 'n1')?.state };
}

/** A watch of an agent that has reported the end of a turn. */
function ended(at: number, handledTurn = 0) {
  const watch = aWatch({ progress: { handledTurn } });
  return { ...watch, reported: { ...watch.reported, lastTurn: { seq: 1, at, message: 'Done' } } };
}

test('the end of its turn answers a question of its run that waits: it is not sent any more', async () => {
  const { work, state, database } = await asked();
  await using _ = work;
  updateDelivery(database, 'n1', { state: 'held', reason: { kind: 'busy' } });
  expect(withdrawNudge(work.context, ended(99)), 'the end of an earlier turn').toBe(false);
  expect(withdrawNudge(work.context, ended(101, 1)), 'an end that was acted on').toBe(false);
  expect(withdrawNudge(work.context, aWatch()), 'no end').toBe(false);
  expect(withdrawNudge(work.context, ended(101))).toBe(true);
  expect(findDelivery(database, 'n1')).toMatchObject({ state: 'failed', reason: { kind: 'turn_over' } });
  expect(withdrawNudge(work.context, ended(101))).toBe(false);
  expect(state()).toBe('failed');
});

test.each([
  ['that is on its way', AT_WORK, 'typed'],
  ['to the worker of a person', { agent: 'demo', status: 'working' }, 'queued'],
] as const)('a question %s stays', async (_, worker, state) => {
  const { work, database } = await asked(worker);
  await using __ = work;
  updateDelivery(database, 'n1', { state });
  expect(withdrawNudge(work.context, ended(101))).toBe(false);
  expect(findDelivery(database, 'n1')).toMatchObject({ state });
});

test('a run is told once that its agent is at work while its message waits', async () => {
  await using work = await scratchWork({ worker: AT_WORK });
  const { store, clock, config } = work.context;
  const task = { run: 'swarm-1', worker: 'adam', base: 'b', expects: { kind: 'commit' }, created_ms: 1 } as const;
  insertTask(store.database, { ...task, id: 'f1', kind: 'follow_up' });
  insertDelivery(store.database, { id: 'f1', worker: 'adam', purpose: 'message', text: 'More', fresh_conversation: 0, created_ms: 1 });
  const watch = aWatch({ now: clock.now(), assessment: anAssessment(BUSY), tmux: aTmuxWatch() });
  for (let pass = 0; pass < 3; pass += 1) await deliverStep(work.context, watch, loadAgent(await config(), 'demo'), await config());
  expect(findDelivery(store.database, 'f1')).toMatchObject({ state: 'held', reason: { kind: 'busy' } });
  expect(listTaskReports(store.database, 'f1').map(({ outcome }) => outcome.kind)).toEqual(['busy']);
});
