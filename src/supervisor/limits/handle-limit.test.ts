import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { insertDelivery } from '../../store/tables/deliveries.ts';
import { insertTask, listTaskReports } from '../../store/tables/tasks.ts';
import { systemPorts } from '../../system/ports.ts';
import { nameAccount } from '../../workers/pool/account.ts';
import { aConfig, aState, aWorker, ofRun } from '../../workers/samples.ts';
import { anAssessment, aWatch, BUSY, LIMIT, READY } from '../samples.ts';
import { handleLimit } from './handle-limit.ts';

test('the time of a run’s task stands still at a usage limit: its run is told once when it begins and once when it ends', async () => {
  const run = ofRun({ task: { id: 'a1', kind: 'work' } });
  using scratch = scratchStore(aState(aWorker({ status: 'working', current_prompt: 'Build it', run })));
  const store = scratch.open();
  const config = aConfig();
  const context = { ...systemPorts, store, layout: scratch.layout, clock: scratch.clock, config: async () => config };
  insertTask(store.database, {
    id: 'a1',
    run: 'swarm-1',
    worker: 'adam',
    kind: 'work',
    base: 'a'.repeat(40),
    expects: { kind: 'commit' },
    created_ms: 1,
  });
  const kinds = () => listTaskReports(store.database, 'a1').map(({ outcome }) => outcome.kind);
  const watch = aWatch({ now: scratch.clock.now(), assessment: anAssessment(LIMIT) });
  for (let pass = 0; pass < 5; pass += 1) await handleLimit(context, watch, config);
  expect(kinds()).toEqual(['parked']);
  watch.assessment = anAssessment(BUSY);
  expect(await handleLimit(context, watch, config)).toBe('acted');
  expect(await handleLimit(context, watch, config)).toBe('none');
  expect(kinds()).toEqual(['parked', 'unparked']);
});

test('a task that waits because another agent of the account has reached the limit: its run is told until when', async () => {
  const run = ofRun({ task: { id: 'a1', kind: 'work' } });
  using scratch = scratchStore(aState(aWorker({ status: 'working', current_prompt: 'Build it', run })));
  const store = scratch.open();
  const config = aConfig();
  const context = { ...systemPorts, store, layout: scratch.layout, clock: scratch.clock, config: async () => config };
  insertTask(store.database, {
    id: 'a1',
    run: 'swarm-1',
    worker: 'adam',
    kind: 'work',
    base: 'a'.repeat(40),
    expects: { kind: 'commit' },
    created_ms: 1,
  });
  const now = scratch.clock.now();
  const watch = aWatch({ now, assessment: anAssessment(READY) });
  expect(await handleLimit(context, watch, config)).toBe('none');
  insertDelivery(store.database, { id: 'a1', worker: 'adam', purpose: 'task', text: 'Build it', fresh_conversation: 1, created_ms: 1 });
  const account = nameAccount(config, store.worker('adam').agent);
  store.commit({
    worker: null,
    kind: 'limit',
    summary: 'another worker reached it',
    state: (draft) => {
      draft.limits[account] = {
        account,
        worker: 'eve',
        why: 'limit',
        since_ms: now,
        until_ms: now + 3_600_000,
        named: true,
        continues_by_itself: false,
        jitter: 0,
        event: 1,
        ended_ms: null,
        ended_event: 0,
      };
    },
  });
  expect(await handleLimit(context, watch, config)).toBe('acted');
  expect(await handleLimit(context, watch, config)).toBe('none');
  expect(listTaskReports(store.database, 'a1').map(({ outcome }) => outcome)).toEqual([
    { kind: 'parked', until_ms: now + 3_600_000, limit: true },
  ]);
});
