import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { recentEvents } from '../../store/tables/events.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { agentOf } from '../../workers/context.ts';
import { anAssessment, aReading, aTmuxWatch, aWatch, READY } from '../samples.ts';
import { deliverStep } from './deliver.ts';

test('a new start for the last attempt that is not possible leaves no record, however often it is tried', async () => {
  const worker = { agent: 'demo', status: 'working', incarnation: 1 } as const;
  await using work = await scratchWork({ repo: '[agents.demo]\ncommand = "/nowhere/agent"', worker });
  const { store, clock, layout, files } = work.context;
  const lost = { state: 'queued', attempt: 2, incarnation: 1, reason: { kind: 'never_reported' } } as const;
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  updateDelivery(store.database, 'd', { ...lost, typed_ms: 1, sent_text: 'go' });
  const now = clock.now();
  const watch = aWatch({ now, assessment: anAssessment(READY), tmux: aTmuxWatch() });
  const screen = { lines: ['here'], width: 80, height: 24 };
  watch.screen = { ...watch.screen, capture: { screen, reading: aReading(READY), since: 0, at: now, stillSince: 0, essence: '' } };
  const config = await work.context.config();
  const history = () => recentHistory(store.database, 'adam', 9).length;
  const before = { history: history(), logs: files.names(layout.logs, 99) };
  for (let pass = 0; pass < 3; pass += 1)
    await expect(deliverStep(work.context, watch, agentOf(config, 'demo'), config)).rejects.toThrow(/nowhere/);
  expect({ history: history(), logs: files.names(layout.logs, 99) }).toEqual(before);
  expect(findDelivery(store.database, 'd')).toMatchObject(lost);
});

test('llmc reads every report before it types, so that the report of the same words sent before gets a lower number', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo', status: 'working', incarnation: 1 } });
  const { store, clock, layout, files } = work.context;
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  const now = clock.now();
  const watch = aWatch({ now, assessment: anAssessment(READY), tmux: aTmuxWatch() });
  const screen = { lines: ['> '], width: 80, height: 24 };
  watch.screen = { ...watch.screen, capture: { screen, reading: aReading(READY), since: 0, at: now, stillSince: 0, essence: '' } };
  // Written after the last pass has read the spool.
  files.makeFolder(layout.spool('adam'));
  files.writePrivate(join(layout.spool('adam'), '1~prompt_accepted~7.json'), JSON.stringify({ text: 'go' }));
  const config = await work.context.config();
  expect(await deliverStep(work.context, watch, agentOf(config, 'demo'), config), 'it is decided again').toBe(true);
  expect(recentEvents(store.database, 'adam', 9)).toHaveLength(1);
  expect(findDelivery(store.database, 'd')).toMatchObject({ state: 'queued', attempt: 0, typed_ms: null });
});

test('a step that an ordinary delivery does not have goes into the recovery log', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo', status: 'working', incarnation: 1 } });
  const { store, clock } = work.context;
  const heard: [string, boolean | undefined][] = [];
  store.onCommit(({ summary, recovers }) => heard.push([summary.slice(3), recovers]));
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  updateDelivery(store.database, 'd', { state: 'submitted', attempt: 1, incarnation: 0, typed_ms: 1, submitted_ms: 1, sent_text: 'go' });
  const watch = aWatch({ now: clock.now(), assessment: anAssessment({ kind: 'starting' }), tmux: aTmuxWatch() });
  const config = await work.context.config();
  for (let pass = 0; pass < 2; pass += 1) await deliverStep(work.context, watch, agentOf(config, 'demo'), config);
  expect(heard).toEqual([
    [expect.stringMatching(/^queued again/), true],
    [expect.stringMatching(/^held/), false],
  ]);
});
