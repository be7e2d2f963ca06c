import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const supervisor = join(import.meta.dirname, '../../src/supervisor');

/** Which module writes each record of a watch, as `src/supervisor/observe/watch.ts` says beside it. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  life: [],
  tmux: ['observe/tmux-watch.ts'],
  pulse: ['observe/pulse-watch.ts'],
  screen: ['observe/screen-watch.ts'],
  reported: ['observe/ingest.ts'],
  discarded: ['observe/ingest.ts'],
  status: ['observe/own-status.ts'],
  assessment: ['assess/assess-worker.ts'],
  dialog: ['observe/open-dialog.ts'],
  pollAt: ['loop.ts'],
  progress: ['progress/apply-progress.ts'],
  commit: ['progress/finish-by-commit.ts'],
  work: ['metering/meter.ts'],
  wokeAt: ['loop.ts'],
  stuck: ['failures/handle-stuck.ts'],
  resolution: ['progress/watch-resolution.ts'],
  typing: ['deliver/typing-state.ts'],
  decided: ['deliver/delivery-record.ts'],
  waiting: ['deliver/waiting-watch.ts'],
  limit: ['limits/parking.ts'],
  startupDialog: ['dialogs/startup-dialog.ts'],
  size: ['launch/restore-size.ts'],
  woken: ['launch/wake-suspended.ts'],
  exit: ['launch/handle-exit.ts'],
  diedWithOthers: ['loop.ts'],
  protocol: ['observe/observe.ts'],
};

test.each(Object.entries(WRITERS))('the record %s of a watch is written by %j alone', (record, writers) => {
  const written = new RegExp(`\\bwatch\\.${record}(?:\\.\\w+)* (?:=|\\?\\?=|\\+=) `);
  const files = globSync('**/*.ts', { cwd: supervisor, exclude: ['**/*.test.ts'] });
  const found = files.filter((file) => file !== 'observe/watch.ts' && written.test(readFileSync(join(supervisor, file), 'utf8')));
  expect(found.sort()).toEqual(writers);
});

test('every record of a watch has a writer here', () => {
  const source = readFileSync(join(supervisor, 'observe/watch.ts'), 'utf8');
  const [, body = ''] = /export interface Watch \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  const records = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  expect(records.toSorted()).toEqual(Object.keys(WRITERS).toSorted());
});
