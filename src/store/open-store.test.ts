import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { attempts, attemptsTo } from '../../test/support/attempts.ts';
import { scratchStore } from '../../test/support/scratch-store.ts';
import type { FaultPoint } from '../base/fault.ts';
import { aState, aWorker } from '../workers/samples.ts';
import { readStateLeniently } from './read-state-leniently.ts';
import { reportRepairs } from './report-repairs.ts';
import { readStateFile } from './state-file.ts';
import { recentHistory } from './tables/history.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./change.fixture.ts'));

describe('opening after a crash', () => {
  test.for<[FaultPoint, number]>([
    ['state:before-journal', 0],
    ['state:after-journal', 1],
    ['state:before-rename', 1],
  ])('at %s finds %i changes, in file and journal alike', ([fault, changes]) => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const env = { ...process.env, LLMC_FAULT: fault };
    expect(spawnSync(process.execPath, [FIXTURE, layout.root], { env })).toMatchObject({ signal: 'SIGKILL' });
    expect(readStateFile(layout.state)).toMatchObject({ state: { revision: 0 } });

    const store = scratch.open();
    expect({ attempts: attempts(store), revision: store.state.revision }).toEqual({ attempts: changes, revision: changes });
    expect(recentHistory(store.database, 'adam', 5)).toHaveLength(changes);
    expect(readStateFile(layout.state)).toEqual({ kind: 'ok', state: store.state });
    expect(readdirSync(layout.root).filter((name) => name.includes('broken'))).toEqual([]);
    expect(store.repairs).toEqual([]);
  });
});

describe('opening with a database that', () => {
  const damaged: readonly [string, (path: string) => void][] = [
    ['is garbage', (path) => writeFileSync(path, 'no rows in here '.repeat(1_000))],
    ['has a page of garbage', (path) => writeFileSync(path, readFileSync(path).fill(7, 4_096, 12_288))],
  ];
  test.for(damaged)('%s sets it aside, says so, and begins a new one from the state file', ([_, damage]) => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const first = scratch.open();
    first.commit(attemptsTo(2));
    first[Symbol.dispose]();
    damage(layout.database);
    const left = readFileSync(layout.database);

    const store = scratch.open();
    expect({ attempts: attempts(store), revision: store.state.revision }).toEqual({ attempts: 2, revision: 1 });
    const aside = readdirSync(layout.root).filter((name) => name.startsWith('llmc.db.damaged-'));
    expect(aside.map((name) => readFileSync(join(layout.root, name)))).toEqual([left]);
    expect(store.repairs).toEqual([expect.stringContaining(`kept as ${join(layout.root, aside[0] ?? '')}`)]);
    const told: string[] = [];
    reportRepairs(store, (line) => told.push(line));
    expect(told).toEqual(store.repairs);
    store.commit(attemptsTo(3));
    store[Symbol.dispose]();
    expect(scratch.open()).toMatchObject({ repairs: [], state: { revision: 2 } });
  });

  test('is missing says so and begins a new one, unless nothing was ever written to it', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const first = scratch.open();
    expect(first.repairs).toEqual([]);
    first.commit(attemptsTo(2));
    first[Symbol.dispose]();
    for (const beside of ['', '-wal', '-shm']) rmSync(`${layout.database}${beside}`, { force: true });
    const store = scratch.open();
    expect(attempts(store)).toBe(2);
    expect(store.repairs).toEqual(['llmc.db was missing, and a new one was started. The history and undelivered prompts are lost.']);
    store[Symbol.dispose]();
    expect(scratch.open().repairs).toEqual([]);
  });

  test('is garbage stays where it is when nothing else knows the workers', () => {
    using scratch = scratchStore(null);
    const { layout } = scratch;
    writeFileSync(layout.database, 'no rows in here '.repeat(1_000));
    expect(() => scratch.open()).toThrow(
      expect.objectContaining({ code: 'DATABASE_ERROR', message: expect.stringContaining('neither state.json nor its backup') }),
    );
    expect(readdirSync(layout.root).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});

describe('opening with a state file that', () => {
  const broken: readonly [string, (path: string) => void][] = [
    ['is missing', (path) => rmSync(path)],
    ['is empty', (path) => writeFileSync(path, '')],
    ['is cut off', (path) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100))],
    ['has a field too many', (path) => writeFileSync(path, JSON.stringify({ ...aState(aWorker()), extra: 1 }))],
  ];
  test.for(broken)('%s takes the state from the journal and sets a broken file aside', ([how, breakIt]) => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const first = scratch.open();
    first.commit(attemptsTo(1));
    first.commit(attemptsTo(2));
    first[Symbol.dispose]();
    breakIt(layout.state);
    const left = existsSync(layout.state) ? readFileSync(layout.state, 'utf8') : undefined;

    const store = scratch.open();
    expect(attempts(store)).toBe(2);
    expect(readStateFile(layout.state)).toMatchObject({ kind: 'ok', state: { revision: 2 } });
    const aside = readdirSync(layout.root).filter((name) => name.startsWith('state.json.broken-'));
    expect(aside.map((name) => readFileSync(join(layout.root, name), 'utf8'))).toEqual(how === 'is missing' ? [] : [left]);
    expect(readStateFile(layout.stateBackup)).toMatchObject({ kind: 'ok' });
    const found = how === 'is missing' ? 'was missing' : `could not be read and is kept as ${join(layout.root, aside[0] ?? '')}`;
    expect(store.repairs).toEqual([`state.json ${found}. The state was restored from llmc.db.`]);
    store[Symbol.dispose]();
    expect(scratch.open().repairs).toEqual([]);
  });

  test('is missing, without a database, takes the backup and says so', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    copyFileSync(layout.state, layout.stateBackup);
    rmSync(layout.state);
    expect(scratch.open().repairs).toEqual(['state.json was missing. The state was restored from its backup, which may be older.']);
  });

  test('is broken, without a database, takes the backup', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    copyFileSync(layout.state, layout.stateBackup);
    writeFileSync(layout.state, 'null');
    expect(attempts(scratch.open())).toBe(0);
    expect(readStateFile(layout.state).kind).toBe('ok');
  });

  test('is broken, without database and backup, is refused with a hint and left as it is', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    rmSync(layout.stateBackup, { force: true });
    writeFileSync(layout.state, '{"version":1');
    expect(() => scratch.open()).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID', hint: expect.stringContaining('llmc doctor --rebuild') }),
    );
    expect(readFileSync(layout.state, 'utf8')).toBe('{"version":1');
    expect(() => readStateLeniently(layout)).toThrow(expect.objectContaining({ code: 'STATE_INVALID' }));
  });

  test('is newer than the journal is believed', () => {
    using scratch = scratchStore();
    const { layout } = scratch;
    const first = scratch.open();
    first.commit(attemptsTo(1));
    first[Symbol.dispose]();
    writeFileSync(layout.state, JSON.stringify({ ...aState(aWorker({ resolution_attempts: 9 })), revision: 5 }));
    const store = scratch.open();
    expect(attempts(store)).toBe(9);
    store.commit(attemptsTo(10));
    expect(store.state.revision).toBe(6);
  });
});
