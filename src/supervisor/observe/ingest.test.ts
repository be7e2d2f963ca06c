import { expect, test } from 'vitest';
import { memoryFiles } from '../../../test/support/memory-files.ts';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { demoAgent } from '../../agents/demo/adapter.ts';
import { Store } from '../../store/store.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { ingest, showable } from './ingest.ts';
import { newWatch } from './watch.ts';

test('a flood of event files is gone after a few passes, with two lines of history', () => {
  using scratch = scratchStore();
  const { list, names, readForeign, unlink, writePrivate } = memoryFiles();
  using store = new Store(scratch.layout, scratch.clock, { ...systemFiles, list, names, readForeign, unlink });
  const spool = store.layout.spool('adam');
  for (let index = 0; index < 26_000; index += 1) writePrivate(`${spool}/9~stop~${index}.json`, '{}');
  const watch = newWatch('adam', { incarnation: 1, launchedAt: 0, resumed: false });
  for (let pass = 0; pass < 3; pass += 1) ingest(store, watch, demoAgent);
  expect(names(spool, 100_000)).toHaveLength(26_000 - 2 * 5_000 - 3 * 500);
  const said = recentHistory(store.database, 'adam', 10).map(({ summary }) => summary);
  expect(said.toSorted()).toEqual([
    'more than 20000 event files were waiting; llmc removes the oldest unread',
    'removed 10000 event files unread',
  ]);
});

test.each(['--dangerously-skip-permissions', '../../secret', 'a b', ''])(
  'a conversation that calls itself %j is not believed',
  (conversationId) => {
    expect(showable({ kind: 'session_started', conversationId, source: 'startup' })).toMatchObject({ conversationId: null });
  },
);
