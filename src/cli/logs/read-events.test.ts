import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { keepCopy } from '../../store/copies.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { type EventLine, EventReader, parseSince } from './read-events.ts';

const NOW = 1_800_000_000_000;

test.each([
  ['1234', { seq: 1234 }],
  ['0', { seq: 0 }],
  ['10m', { at: NOW - 600_000 }],
  ['90000d', { at: 0 }],
])('--since %s', (text, expected) => {
  expect(parseSince(text, NOW)).toEqual(expected);
});

test.each(['99999999999999999999', '-1', 'yesterday', ''])('--since %s is refused', (text) => {
  expect(() => parseSince(text, NOW)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

function history() {
  const scratch = scratchStore();
  const store = scratch.open();
  const happens = (worker: string | null, summary: string) => store.commit({ worker, kind: 'test', summary });
  const path = scratch.layout.database;
  return { scratch, store, happens, path, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}
const words = (lines: readonly EventLine[]) => lines.map(({ summary }) => summary);

test('a reader prints each event once, and continues after the last number that a script has seen', () => {
  using root = history();
  for (const word of ['a', 'b', 'c']) root.happens('adam', word);
  const reader = new EventReader(root.path, { seq: 0 }, undefined);
  const first = reader.next();
  expect(words(first)).toEqual(['a', 'b', 'c']);
  expect(first[0]).toEqual({
    seq: 1,
    time: new Date(root.scratch.clock.now()).toISOString(),
    worker: 'adam',
    kind: 'test',
    status: 'idle',
    summary: 'a',
  });
  expect(reader.next()).toEqual([]);
  root.happens(null, 'd');
  expect(reader.next()).toMatchObject([{ worker: null, status: null, summary: 'd' }]);
  expect(words(new EventReader(root.path, { seq: first[1]?.seq ?? 0 }, undefined).next())).toEqual(['c', 'd']);
});

test('a reader without a beginning shows only what happens from now on', () => {
  using root = history();
  root.happens('adam', 'before');
  const reader = new EventReader(root.path, undefined, undefined);
  expect(reader.next()).toEqual([]);
  root.happens('adam', 'after');
  expect(words(reader.next())).toEqual(['after']);
});

test('a time selects the events since then, and a worker its own', () => {
  using root = history();
  const start = root.scratch.clock.now();
  root.happens('adam', 'early');
  root.scratch.clock.set(start + 60_000);
  root.happens('adam', 'late');
  root.happens(null, 'of the root');
  expect(words(new EventReader(root.path, { at: start + 30_000 }, undefined).next())).toEqual(['late', 'of the root']);
  expect(words(new EventReader(root.path, { at: start + 30_000 }, 'adam').next())).toEqual(['late']);
  expect(new EventReader(root.path, { at: start + 90_000 }, undefined).next()).toEqual([]);
});

test('pages are complete, also when a whole page is about other workers', () => {
  using root = history();
  root.store.database.exec('BEGIN');
  const insert = root.store.database.prepare("INSERT INTO history (at_ms, worker, kind, summary) VALUES (1, ?, 'test', ?)");
  for (let each = 0; each < 2_500; each += 1) insert.run(each < 2_400 ? 'baker' : 'adam', String(each));
  root.store.database.exec('COMMIT');
  const reader = new EventReader(root.path, { seq: 0 }, 'adam');
  expect(reader.next()).toHaveLength(100);
  const all = new EventReader(root.path, { seq: 0 }, undefined);
  expect([all.next(), all.next(), all.next(), all.next()].map(({ length }) => length)).toEqual([1_000, 1_000, 500, 0]);
});

test('after a damaged database was replaced, the events of the new one are shown from their beginning', () => {
  using root = history();
  for (const word of ['a', 'b', 'c']) root.happens('adam', word);
  const reader = new EventReader(root.path, { seq: 0 }, undefined);
  reader.next();
  root.store[Symbol.dispose]();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${root.path}${suffix}`, { force: true });
  const next = root.scratch.open();
  root.scratch.clock.set(root.scratch.clock.now() + 1);
  next.commit({ worker: 'adam', kind: 'test', summary: 'new' });
  expect(words(reader.next())).toEqual(['new']);
});

test.each([
  ['fewer', 1],
  ['more', 5],
])('after a restore from a copy, with %s events than were shown, a reader shows only what happened since', async (_how, added) => {
  using root = history();
  const { clock, layout } = root.scratch;
  const start = clock.now();
  for (const [nth, word] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    clock.set(start + nth);
    root.happens('adam', word);
    if (word === 'b') await keepCopy(layout, { clock, files: systemFiles });
  }
  const reader = new EventReader(root.path, { seq: 0 }, undefined);
  expect(words(reader.next())).toEqual(['a', 'b', 'c', 'd', 'e']);
  root.store[Symbol.dispose]();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${root.path}${suffix}`, { force: true });
  clock.set(start + 10);
  const next = root.scratch.open();
  for (let nth = 1; nth <= added; nth += 1) next.commit({ worker: 'adam', kind: 'test', summary: `new ${nth}` });
  const shown = words(reader.next());
  expect(shown[0]).toContain('restored from the copy');
  expect(shown.slice(1)).toEqual(Array.from({ length: added }, (_, nth) => `new ${nth + 1}`));
  expect(reader.next()).toEqual([]);
});

test('a number beyond the last event is refused, not answered with everything', () => {
  using root = history();
  for (const word of ['a', 'b', 'c']) root.happens('adam', word);
  expect(new EventReader(root.path, { seq: 3 }, undefined).next()).toEqual([]);
  expect(() => new EventReader(root.path, { seq: 4 }, undefined)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('the last one is 3') }),
  );
});
