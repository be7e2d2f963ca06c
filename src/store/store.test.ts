import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { attempts, attemptsTo } from '../../test/support/attempts.ts';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { aWorker } from '../workers/samples.ts';
import { readStateFileLeniently, readStateLeniently } from './read-state-leniently.ts';
import { readStateFile } from './state-file.ts';
import { recentHistory } from './tables/history.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./change.fixture.ts'));

describe('a change', () => {
  test('is in the state, in the file and in the journal, under one revision', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const store = scratch.open();
    store.commit(attemptsTo(7));
    expect(store.state.revision).toBe(1);
    expect(readStateFile(layout.state)).toEqual({ kind: 'ok', state: store.state });
    expect(readStateLeniently(layout)).toEqual(store.state);
    expect(store.database.prepare('SELECT revision FROM state_journal').get()).toEqual({ revision: 1 });
    expect(recentHistory(store.database, 'adam', 5)).toEqual([
      { at: scratch.clock.now(), worker: 'adam', kind: 'test', summary: 'attempts 7' },
    ]);
    expect(statSync(layout.state).mode & 0o777).toBe(0o600);
  });

  test('keeps the state before it as the backup', () => {
    using scratch = scratchStore();
    const store = scratch.open();
    store.commit(attemptsTo(1));
    store.commit(attemptsTo(2));
    expect(readStateFile(scratch.layout.stateBackup)).toMatchObject({ kind: 'ok', state: { revision: 1 } });
  });

  test('does not keep a file that was broken in the meantime as the backup', () => {
    using scratch = scratchStore();
    const store = scratch.open();
    store.commit(attemptsTo(1));
    store.commit(attemptsTo(2));
    writeFileSync(scratch.layout.state, '{');
    store.commit(attemptsTo(3));
    expect(readStateFile(scratch.layout.state)).toMatchObject({ kind: 'ok', state: { revision: 3 } });
    expect(readStateFile(scratch.layout.stateBackup)).toMatchObject({ kind: 'ok' });
  });

  test('keeps a file that a person repaired in the meantime as the backup', () => {
    using scratch = scratchStore();
    const store = scratch.open();
    store.commit(attemptsTo(1));
    const repaired = { ...store.state, workers: { adam: aWorker({ resolution_attempts: 8 }) } };
    writeFileSync(scratch.layout.state, JSON.stringify(repaired));
    store.commit(attemptsTo(2));
    expect(readStateFile(scratch.layout.stateBackup)).toEqual({ kind: 'ok', state: repaired });
  });

  test('of nothing but rows leaves file and revision alone', () => {
    using scratch = scratchStore();
    const store = scratch.open();
    const before = statSync(scratch.layout.state).ino;
    store.commit({ worker: null, kind: 'test', summary: 'only told' });
    expect(store.state.revision).toBe(0);
    expect(statSync(scratch.layout.state).ino).toBe(before);
  });

  test('that would break the state changes nothing at all', () => {
    using scratch = scratchStore();
    const store = scratch.open();
    expect(() => store.commit(attemptsTo(-1))).toThrow();
    expect(() => store.commit({ ...attemptsTo(5), rows: (database) => database.exec('INSERT INTO nowhere VALUES (1)') })).toThrow(
      /nowhere/,
    );
    expect({ attempts: attempts(store), revision: store.state.revision }).toEqual({ attempts: 0, revision: 0 });
    expect(recentHistory(store.database, 'adam', 5)).toEqual([]);
    store.commit(attemptsTo(1));
    expect(attempts(store)).toBe(1);
  });

  test('that the database has no room for says so and changes nothing', () => {
    using scratch = scratchStore();
    const store = scratch.open();
    const { page_count: pages } = store.database.prepare('PRAGMA page_count').get() ?? {};
    store.database.exec(`PRAGMA max_page_count = ${Number(pages)}`);
    expect(() => store.commit({ ...attemptsTo(5), details: 'x'.repeat(100_000) })).toThrow(/full/);
    expect(attempts(store)).toBe(0);
    store.database.exec('PRAGMA max_page_count = 1000000');
    store.commit(attemptsTo(1));
    expect(attempts(store)).toBe(1);
  });

  test('whose file cannot be written is kept by the database and written when it can', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const store = scratch.open();
    // A directory where the draft of the file would be: the write fails, as on a full disk.
    const obstacle = join(layout.root, `.state.json.${process.pid}.tmp`);
    mkdirSync(obstacle);
    store.commit(attemptsTo(4));
    expect(attempts(store)).toBe(4);
    expect(readStateFile(layout.state)).toMatchObject({ state: { revision: 0 } });
    expect(store.syncFile()).toMatchObject({ code: 'EISDIR' });
    rmdirSync(obstacle);
    expect(store.syncFile()).toBeUndefined();
    expect(readStateFile(layout.state)).toMatchObject({ state: { revision: 1, workers: { adam: { resolution_attempts: 4 } } } });
  });

  test('is heard by those who listen and by those who wait', async () => {
    using scratch = scratchStore();
    const store = scratch.open();
    const heard: string[] = [];
    store.onCommit(({ summary }) => heard.push(summary));
    const waiting = store.until(() => (attempts(store) >= 2 ? 'enough' : undefined), 60_000);
    store.commit(attemptsTo(1));
    store.commit(attemptsTo(2));
    expect(await waiting).toBe('enough');
    expect(heard).toEqual(['attempts 1', 'attempts 2']);
  });

  test('is made although a listener throws, and the other listeners hear of it', async () => {
    using scratch = scratchStore();
    const store = scratch.open();
    const heard: string[] = [];
    store.onCommit(() => {
      throw new Error('a listener that fails');
    });
    store.onCommit(({ summary }) => heard.push(summary));
    const warned = once(process, 'warning');
    store.commit(attemptsTo(1));
    expect({ heard, attempts: attempts(store) }).toEqual({ heard: ['attempts 1'], attempts: 1 });
    expect(await warned).toEqual([expect.objectContaining({ message: 'a listener that fails' })]);
  });

  test('that never comes is waited for as long as was said, or until the waiting is cut short', async () => {
    using scratch = scratchStore();
    const store = scratch.open();
    expect(await store.until(() => undefined, 20)).toBeUndefined();
    expect(await store.until(() => undefined, 60_000, AbortSignal.abort())).toBeUndefined();
    expect(await store.until(() => 'already', 0)).toBe('already');
  });
});

test('a change during the removal of the root leaves no file behind', () => {
  using scratch = scratchStore();
  const { layout } = scratch;
  writeFileSync(layout.config, '');
  const store = scratch.open();
  rmSync(layout.root, { recursive: true });
  mkdirSync(layout.root);
  store.commit(attemptsTo(1));
  store[Symbol.dispose]();
  expect(readdirSync(layout.root)).toEqual([]);
});

test('a reader beside the owner makes do with the backup when the file is broken', () => {
  using scratch = scratchStore();
  const { layout } = scratch;
  copyFileSync(layout.state, layout.stateBackup);
  for (const text of [
    '',
    'null',
    '{"version":2,"workers":{}}',
    '{"version":1}',
    '{"version":1,"revision":0,"workers":[]}',
    '{"version":1,"workers":{"adam":null}}',
  ]) {
    writeFileSync(layout.state, text);
    expect(readStateLeniently(layout).workers.adam?.status).toBe('idle');
    expect(readStateFileLeniently(layout).problem).toMatch(/state\.json cannot be read: .*; this is its backup, which may be older$/);
  }
});

test('a reader beside the owner sees the latest change, whether the file is broken, missing or behind', () => {
  using scratch = scratchStore();
  const { layout } = scratch;
  const store = scratch.open();
  store.commit(attemptsTo(1));
  copyFileSync(layout.state, join(layout.root, 'behind'));
  store.commit(attemptsTo(2));
  expect(readStateFileLeniently(layout)).toEqual({ state: store.state });
  copyFileSync(join(layout.root, 'behind'), layout.state);
  expect(readStateFileLeniently(layout)).toEqual({ state: store.state });
  const problem = (what: string) => expect.stringMatching(new RegExp(`state\\.json ${what}; this is the copy in llmc\\.db`));
  writeFileSync(layout.state, '{');
  expect(readStateFileLeniently(layout)).toEqual({ state: store.state, problem: problem('cannot be read: .*') });
  rmSync(layout.state);
  expect(readStateFileLeniently(layout)).toEqual({ state: store.state, problem: problem('is missing') });
});

test('8 processes that make 50 changes each lose none', { timeout: 400_000 }, async () => {
  using scratch = scratchStore();
  const { layout } = scratch;
  const processes = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [FIXTURE, layout.root, '50'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  try {
    expect(await Promise.all(processes.map((each) => once(each, 'exit')))).toEqual(processes.map(() => [0, null]));
  } finally {
    for (const each of processes) each.kill('SIGKILL');
  }
  const store = scratch.open();
  expect({ attempts: attempts(store), revision: store.state.revision }).toEqual({ attempts: 400, revision: 400 });
  expect(store.database.prepare('SELECT count(DISTINCT revision) AS count FROM history').get()).toEqual({ count: 400 });
});
