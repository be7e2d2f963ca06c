import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { appendLog, keepLog } from './log.ts';

const entry = { at: Date.UTC(2026, 0, 2, 3, 4, 5, 6), kind: 'status', summary: 'idle → working (assigned)' };

test('every change goes to the log of its worker, and what is about none to that of llmc', () => {
  using scratch = scratchStore();
  scratch.clock.set(entry.at);
  const store = scratch.open();
  keepLog(store);
  store.commit({ ...entry, worker: 'adam', details: 'two\nlines' });
  store.commit({ ...entry, worker: null, summary: 'patrol' });
  const time = '2026-01-02T03:04:05.006Z';
  expect(readFileSync(scratch.layout.log('adam'), 'utf8')).toBe(
    `${JSON.stringify({ time, kind: 'status', summary: 'idle → working (assigned)', details: 'two\nlines' })}\n`,
  );
  expect(readFileSync(scratch.layout.log('llmc'), 'utf8')).toBe(`${JSON.stringify({ time, kind: 'status', summary: 'patrol' })}\n`);
  expect(statSync(scratch.layout.log('adam')).mode & 0o777).toBe(0o600);
});

test('a log that has grown large is put aside, and one before it is let go', () => {
  using scratch = scratchStore();
  const path = scratch.layout.log('adam');
  for (const round of ['one', 'two', 'three']) {
    appendLog(scratch.layout, { ...entry, worker: 'adam', summary: round });
    truncateSync(path, 5 * 1024 * 1024 + 1);
  }
  appendLog(scratch.layout, { ...entry, worker: 'adam', summary: 'four' });
  expect(readdirSync(scratch.layout.logs).toSorted()).toEqual(['adam.log', 'adam.log.1']);
  expect(readFileSync(path, 'utf8')).toContain('"four"');
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('"three"');
});

test('a log that cannot be written does not stop the work', () => {
  using scratch = scratchStore();
  rmSync(scratch.layout.logs, { recursive: true });
  appendLog(scratch.layout, { ...entry, worker: 'adam' });
  mkdirSync(scratch.layout.log('baker'), { recursive: true });
  appendLog(scratch.layout, { ...entry, worker: 'baker' });
  expect(readdirSync(scratch.layout.logs)).toEqual(['baker.log']);
});
