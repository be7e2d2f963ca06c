import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../test/support/scratch-store.ts';
import { mountDisk, needsDisk } from '../../test/support/small-disk.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { COPIES, keepCopy, listCopies } from './copies.ts';
import { inspectDatabase, openDatabase } from './database.ts';
import { reportRepairs } from './report-repairs.ts';
import { settleRestored } from './settle-restored.ts';
import type { Store } from './store.ts';
import { insertDelivery, recentDeliveries, updateDelivery } from './tables/deliveries.ts';
import { insertHistory } from './tables/history.ts';
import {
  insertLanding,
  landingsBeforeAfterAccept,
  openLandings,
  prepareLanding,
  settleLanding,
  unreportedLandings,
} from './tables/landings.ts';
import { findQueued, insertQueued, markGiven } from './tables/queue.ts';

const copy = ({ layout, clock }: ScratchStore) => keepCopy(layout, { clock, files: systemFiles });
const times = ({ layout }: ScratchStore) => listCopies(layout.copies, systemFiles).map(({ at }) => at);

/** A root whose copy knows of a queued, an acknowledged and a finished prompt, and of an open accept. */
async function copied(): Promise<ScratchStore> {
  const scratch = scratchStore();
  const store = scratch.open();
  for (const id of ['queued', 'acked', 'done'] as const) {
    insertDelivery(store.database, { id, worker: 'adam', purpose: 'message', text: id, fresh_conversation: 0, created_ms: 1 });
    if (id !== 'queued') updateDelivery(store.database, id, { state: id });
  }
  insertLanding(store.database, { id: 'open', worker: 'adam', head: 'a'.repeat(40), message: null, branch: null, created_ms: 1 });
  store.commit({ worker: null, kind: 'test', summary: 'in the copy', state: () => undefined });
  expect(await copy(scratch)).toBe(true);
  store.commit({ worker: null, kind: 'test', summary: 'since the copy', state: () => undefined });
  store[Symbol.dispose]();
  return scratch;
}

/** A sound database with nothing in it. */
function empty(path: string): void {
  rmSync(path, { force: true });
  openDatabase(path).close();
}

test('a copy is made once an hour, while the database is in use, for this user alone, and three are kept', async () => {
  using scratch = scratchStore();
  scratch.open();
  expect(await copy(scratch)).toBe(true);
  expect(await copy(scratch)).toBe(false);
  const first = scratch.clock.now();
  for (let hour = 1; hour <= 4; hour += 1) {
    scratch.clock.set(first + hour * COPIES.everyMs);
    expect(await copy(scratch)).toBe(true);
  }
  expect(times(scratch)).toEqual([4, 3, 2].map((hour) => first + hour * COPIES.everyMs));
  for (const { path } of listCopies(scratch.layout.copies, systemFiles)) {
    expect(inspectDatabase(path)).toEqual({ kind: 'ok' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test('a clock that was set back does not end the copies', async () => {
  using scratch = scratchStore();
  scratch.open();
  await copy(scratch);
  scratch.clock.set(scratch.clock.now() - 10 * COPIES.everyMs);
  expect(await copy(scratch)).toBe(true);
});

test('copies from while the clock was ahead count for nothing, and go once there is a new one', async () => {
  using scratch = scratchStore();
  scratch.open();
  const now = scratch.clock.now();
  for (const day of [1, 2, 3]) {
    scratch.clock.set(now + day * 86_400_000);
    await copy(scratch);
  }
  scratch.clock.set(now);
  expect(await copy(scratch)).toBe(true);
  expect(times(scratch)).toEqual([now]);
  expect(await copy(scratch)).toBe(false);
});

test('a copy on a full disk fails, leaves nothing of itself and the older ones, and is made once there is room', async (context) => {
  needsDisk(context);
  using scratch = scratchStore();
  scratch.open();
  using disk = mountDisk(scratch.layout.copies, '2m');
  expect(await copy(scratch)).toBe(true);
  const first = scratch.clock.now();
  scratch.clock.set(first + COPIES.everyMs);
  disk.fill();
  await expect(copy(scratch)).rejects.toThrow(/full/);
  expect(readdirSync(disk.place).toSorted()).toEqual(['filler', `llmc.db.${first}`]);
  disk.free();
  expect(await copy(scratch)).toBe(true);
  expect(times(scratch)).toEqual([first + COPIES.everyMs, first]);
});

test('what a killed copy left is swept by the next one', async () => {
  using scratch = scratchStore();
  scratch.open();
  const { copies } = scratch.layout;
  mkdirSync(copies);
  const { pid } = spawnSync('true');
  for (const suffix of ['', '-journal']) writeFileSync(join(copies, `.llmc.db.1.${pid}.tmp${suffix}`), 'half');
  await copy(scratch);
  expect(readdirSync(copies)).toEqual([`llmc.db.${scratch.clock.now()}`]);
});

test('a restore is in the history before the copy is in its place, and once', async () => {
  using scratch = await copied();
  rmSync(scratch.layout.database);
  const repairs = (store: Store) => store.database.prepare("SELECT summary FROM history WHERE kind = 'repair' ORDER BY seq").all();
  // Killed before it reported anything.
  const killed = scratch.open();
  const summaries = killed.repairs.map((summary) => ({ summary }));
  expect(repairs(killed)).toEqual(summaries);
  const heard: string[] = [];
  killed.onCommit(({ summary }) => heard.push(summary));
  reportRepairs(killed, () => undefined);
  expect(heard).toEqual(killed.repairs);
  expect(repairs(killed)).toEqual(summaries);
});

test('a log of a restore that was killed is not replayed into the next one', async () => {
  using scratch = await copied();
  const { root, database, copies } = scratch.layout;
  const draft = `${database}.restoring`;
  copyFileSync(listCopies(copies, systemFiles)[0]?.path ?? '', `${database}.other`);
  const killed = openDatabase(`${database}.other`);
  insertHistory(killed, { at: 1, worker: null, kind: 'ghost', summary: 'of the killed one' }, 1);
  for (const suffix of ['-wal', '-shm']) copyFileSync(`${database}.other${suffix}`, `${draft}${suffix}`);
  killed.close();
  rmSync(database);
  const store = scratch.open();
  expect(store.database.prepare("SELECT summary FROM history WHERE kind = 'ghost'").all()).toEqual([]);
  expect(readdirSync(root).filter((name) => name.includes('restoring'))).toEqual([]);
});

test('a backup of the state that is newer than the copy wins', async () => {
  using scratch = await copied();
  const { layout } = scratch;
  copyFileSync(layout.state, layout.stateBackup);
  writeFileSync(layout.state, '{');
  rmSync(layout.database);
  const store = scratch.open();
  expect(store.state.revision).toBe(2);
  expect(store.repairs[0]).toContain('the workers are as state.json or its backup has them');
  expect(store.repairs.at(-1)).toContain('The state was restored from its backup');
});

test('the tasks that waited in the copy wait for a person: they may have been given since', () => {
  using database = openDatabase(':memory:');
  const task = { prompt: 'x', expects: 'commit', priority: 0, worker: null, agent: null, created_ms: 1 } as const;
  for (const after of [[], [1]]) insertQueued(database, { ...task, after });
  const given = insertQueued(database, { ...task, after: [] });
  markGiven(database, given, 'adam', 'd1', 1);
  expect(settleRestored(database, 9, 'restored').at(-1)).toBe(
    '2 tasks of the queue wait for you, because they may have been given since: llmc queue',
  );
  expect([1, 2, 3].map((number) => findQueued(database, number)?.after)).toEqual([[1], [1, 2], []]);
});

test('a run that was under way is left to its files, if it has some: the copy does not know what it waits for', () => {
  using database = openDatabase(':memory:');
  for (const [id, ended] of [
    ['going-1', null],
    ['bare-1', null],
    ['done-1', 5],
  ] as const) {
    database
      .prepare(
        `INSERT INTO runs (id, workflow, digest, plan_json, inputs_json, status, version, state_json, degradation_level, created_ms, ended_ms)
           VALUES (?, 'w', 'd', '{}', '{}', 'running', 1, '{}', 'full', 1, ?)`,
      )
      .run(id, ended);
    database.prepare("INSERT INTO run_history (run, at_ms, text) VALUES (?, 1, 'x')").run(id);
  }
  const told = settleRestored(database, 9, 'restored', (run) => run !== 'bare-1');
  expect(told.at(-1)).toBe('Runs that were under way are read back from their files at the next start: going-1. llmc runs');
  expect(database.prepare('SELECT id FROM runs ORDER BY id').all()).toEqual([{ id: 'bare-1' }, { id: 'done-1' }]);
});

test('a damaged database is not copied, and the last good copy stays', async () => {
  using scratch = await copied();
  const before = times(scratch);
  writeFileSync(scratch.layout.database, 'x'.repeat(5_000));
  scratch.clock.set(scratch.clock.now() + COPIES.everyMs);
  await expect(copy(scratch)).rejects.toThrow(/not a database/);
  expect(times(scratch)).toEqual(before);
});

test.each<[string, (path: string) => void]>([
  ['damaged', (path) => writeFileSync(path, 'x'.repeat(5_000))],
  ['missing', (path) => rmSync(path)],
])('a %s database is restored from its copy, and what was under way then is not done again', async (how, damage) => {
  using scratch = await copied();
  damage(scratch.layout.database);
  const store = scratch.open();
  expect(store.repairs).toEqual([
    expect.stringMatching(new RegExp(`llmc\\.db was ${how}.* restored from the copy of 2023-11-14T`)),
    expect.stringContaining('Prompts that were on their way then were given up: 1.'),
  ]);
  expect(recentDeliveries(store.database, 'adam', 9).map(({ id, state }) => `${id} ${state}`)).toEqual([
    'done done',
    'acked done',
    'queued failed',
  ]);
  expect(openLandings(store.database)).toEqual([]);
  // The file is newer than the copy.
  expect(store.state.revision).toBe(2);
  expect(store.database.prepare("SELECT summary FROM history WHERE kind = 'test'").all()).toEqual([{ summary: 'in the copy' }]);
  store[Symbol.dispose]();
  expect(scratch.open().repairs).toEqual([]);
});

test('a copy that is damaged too is passed over for an older one, and a new database begins where there is none', async () => {
  using scratch = await copied();
  const { layout, clock } = scratch;
  writeFileSync(join(layout.copies, `llmc.db.${clock.now() + 1}`), 'x'.repeat(5_000));
  writeFileSync(layout.database, 'x'.repeat(5_000));
  const first = scratch.open();
  expect(first.repairs[0]).toContain('restored from the copy');
  first[Symbol.dispose]();
  rmSync(layout.copies, { recursive: true });
  writeFileSync(layout.database, 'x'.repeat(5_000));
  clock.set(clock.now() + 1);
  expect(scratch.open().repairs).toEqual([expect.stringContaining('A new one was started from state.json')]);
});

test.each<[string, (path: string) => void]>([
  ['damaged', (path) => writeFileSync(path, 'x'.repeat(5_000))],
  ['missing', (path) => rmSync(path)],
  ['sound, but without its record of the state', empty],
])('with a database that is %s, neither file of the state is needed where a copy has it', async (_, damage) => {
  using scratch = await copied();
  const { layout, clock } = scratch;
  for (const path of [layout.state, layout.stateBackup]) rmSync(path, { force: true });
  damage(layout.database);
  // A newer copy, of a database without a record: it knows no worker.
  empty(join(layout.copies, `llmc.db.${clock.now() + 1}`));
  const store = scratch.open();
  expect(store.state.revision).toBe(1);
  expect(store.repairs).toHaveLength(3);
  expect(store.repairs[0]).toContain('the workers are as that copy has them');
  expect([...store.recordedRepairs]).toEqual(store.repairs.slice(0, 2));
  expect(existsSync(layout.state)).toBe(true);
  store[Symbol.dispose]();
  expect(scratch.open().repairs).toEqual([]);
});

test('a restore does not run `after_accept` again, nor report the accept again', async () => {
  using scratch = scratchStore();
  const store = scratch.open();
  insertLanding(store.database, { id: 'landed', worker: 'adam', head: 'a'.repeat(40), message: null, branch: null, created_ms: 1 });
  prepareLanding(store.database, 'landed', 'b'.repeat(40), 'c'.repeat(40), 'a'.repeat(40));
  settleLanding(store.database, 'landed', 'landed', 2);
  expect(landingsBeforeAfterAccept(store.database)).toHaveLength(1);
  await copy(scratch);
  store[Symbol.dispose]();
  rmSync(scratch.layout.database);
  const { database } = scratch.open();
  expect([...landingsBeforeAfterAccept(database), ...unreportedLandings(database)]).toEqual([]);
});
