import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { aWatch } from '../samples.ts';
import { earlierDeliveries, inTranscript } from './delivery-view.ts';

test('earlier prompts are those that were sent: one that never went out is not in the box', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  const { database } = store;
  const add = (id: string) =>
    insertDelivery(database, { id, worker: 'adam', purpose: 'message', text: id, fresh_conversation: 0, created_ms: 0 });
  for (const id of ['task', 'never-sent', 'now']) add(id);
  updateDelivery(database, 'task', { state: 'acked', sent_text: 'task', typed_ms: 1 });
  updateDelivery(database, 'never-sent', { state: 'failed', reason: { kind: 'told_again' } });
  const row = findDelivery(database, 'now');
  if (row === undefined) throw new Error('no row');
  expect(earlierDeliveries(store, row).map(({ id }) => id)).toEqual(['task']);
});

test('a record that has not grown is not read again for a prompt that it does not have', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo', status: 'working', conversation_id: 'c-1' } });
  const { store, layout, files } = work.context;
  const reads: (number | undefined)[] = [];
  const counted: WorkContext = {
    ...work.context,
    files: {
      ...files,
      readEnd(path, most, from) {
        reads.push(from);
        return files.readEnd(path, most, from);
      },
    },
  };
  const config = await counted.config();
  const path = join(layout.scratch('adam'), 'conversations', 'c-1.jsonl');
  const write = (prompt: string) => files.append(path, `${JSON.stringify({ type: 'turn', at: 2_000, prompt })}\n`);
  files.makeFolder(dirname(path));
  write('earlier');
  const earlier = files.size(path);
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 0 });
  updateDelivery(store.database, 'd', {
    state: 'submitted',
    sent_text: 'go',
    typed_ms: 1_000,
    attempt: 1,
    record_conversation: 'c-1',
    record_bytes: earlier,
  });
  const row = findDelivery(store.database, 'd');
  if (row === undefined) throw new Error('no row');
  const watch = aWatch();
  const search = () => inTranscript(counted, watch, row, loadAgent(config, 'demo'), config);
  expect([search(), search(), search()]).toEqual([false, false, false]);
  expect(reads, 'only what was written since the typing').toEqual([earlier]);
  write('something else');
  expect([search(), search()]).toEqual([false, false]);
  expect(reads).toHaveLength(2);
  write('go');
  expect(search()).toBe(true);
});
