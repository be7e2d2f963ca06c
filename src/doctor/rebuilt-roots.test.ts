import { copyFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changed, type DamagedRoot, damagedRoot } from '../../test/support/damaged-root.ts';
import { loadConfig } from '../config/load.ts';
import { openDatabase } from '../store/database.ts';
import { setAsideNewer } from '../store/open-owned.ts';
import type { Worker } from '../store/state.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { rebuildState } from '../workers/repair/rebuild-state.ts';
import { repairRoot } from '../workers/repair/repair-root.ts';

let root: DamagedRoot;
beforeAll(async () => {
  root = await damagedRoot();
});
afterAll(async () => await root[Symbol.asyncDispose]());
beforeEach(() => root.renew());

const stateOf = (of: DamagedRoot) => of.own(async ({ store }) => structuredClone(store.state));
const worker = async (of: DamagedRoot, name: string) => (await stateOf(of)).workers[name];
const rebuild = async (changes: Partial<Parameters<typeof rebuildState>[0]> = {}) =>
  await rebuildState({
    layout: root.layout,
    git: root.repo.git,
    config: await loadConfig(root.layout.root),
    now: Date.now(),
    lastConversation: () => undefined,
    runningIncarnation: async () => undefined,
    ...changes,
  });
const ruin = (path: string) => writeFileSync(path, 'x'.repeat(5_000));
function sql(path: string, statement: string): void {
  using database = openDatabase(path);
  database.exec(statement);
}
const CUT_RECORD = 'UPDATE state_journal SET state = substr(state, 1, 50)';

test.each<[string, (root: DamagedRoot) => unknown]>([
  ['cut', ({ layout }) => [truncateSync(layout.state, 100), ruin(layout.database)]],
  ['missing', ({ layout }) => [rmSync(layout.state), ruin(layout.database)]],
  ['cut, and no database', ({ layout }) => [truncateSync(layout.state, 100), rmSync(layout.database)]],
  [
    'cut, and a database without a record',
    ({ layout }) => [truncateSync(layout.state, 100), sql(layout.database, 'DELETE FROM state_journal')],
  ],
  ['cut, and a record cut', ({ layout }) => [truncateSync(layout.state, 100), sql(layout.database, CUT_RECORD)]],
])('a state of which nothing is left (%s) is made again by what its hint says, once', async (_, damage) => {
  const { layout } = root;
  damage(root);
  rmSync(layout.stateBackup);
  expect((await root.doctor())['state']).toMatchObject({ level: 'failed', hint: expect.stringContaining('llmc doctor --rebuild') });
  await expect(stateOf(root)).rejects.toMatchObject({ hint: expect.stringContaining('llmc doctor --rebuild') });
  expect(await rebuild()).toEqual([
    { worker: 'adam', from: 'branch', status: 'idle', conversation: false },
    { worker: 'eve', from: 'branch', status: 'needs_review', conversation: false },
  ]);
  expect(await worker(root, 'eve')).toMatchObject({ status: 'offline', commit_sha: root.work, agent: 'demo' });
  expect(Object.values(await root.doctor()).filter(({ level }) => level === 'failed')).toEqual([]);
  await expect(rebuild()).rejects.toMatchObject({ code: 'STATE_INVALID', hint: 'llmc doctor --repair' });
});

test('a record that can still be read is kept by a rebuild', async () => {
  const { layout } = root;
  root.editState((state) => changed(state, 'adam', { name: '' }));
  rmSync(layout.stateBackup);
  ruin(layout.database);
  const rebuilt = await rebuild();
  expect(rebuilt.map(({ worker: name, from }) => `${name} ${from}`)).toEqual(['adam branch', 'eve record']);
  expect((await worker(root, 'eve'))?.current_prompt).toBe('Do the work.');
});

test.each<[string, () => void]>([
  ['damaged', () => ruin(root.layout.database)],
  ['missing', () => rmSync(root.layout.database)],
  ['without a record', () => sql(root.layout.database, 'DELETE FROM state_journal')],
])('while a copy of the database can be restored (it is %s), a rebuild is refused and the repair works', async (_, damage) => {
  const { layout } = root;
  mkdirSync(layout.copies, { recursive: true });
  copyFileSync(layout.database, join(layout.copies, 'llmc.db.1000'));
  damage();
  truncateSync(layout.state, 100);
  rmSync(layout.stateBackup);
  const { state } = await root.doctor();
  expect(state?.hint).toMatch(/^The state can be restored from a copy of llmc\.db of .* \(\d+d old\): llmc doctor --repair$/);
  expect(state?.repairs?.[0]).toMatchObject({
    does: expect.stringMatching(/\(\d+d old\)\. Lost: every change of the state since then; it has adam, eve$/),
    copy: { path: join(layout.copies, 'llmc.db.1000'), at: 1_000, loses: expect.any(String) },
  });
  await expect(rebuild()).rejects.toMatchObject({ code: 'STATE_INVALID', hint: 'llmc doctor --repair' });
  const [done] = await root.repair(state?.repairs?.map(({ step }) => step) ?? []);
  expect(done).toMatchObject({ outcome: 'repaired' });
  expect((await worker(root, 'eve'))?.current_prompt).toBe('Do the work.');
});

test.each([
  ['a copy', 'restore its copy of', true],
  ['state.json', 'create a new database from state.json', false],
])('a database of a newer llmc is kept, and the way back is %s', async (_, does, hasCopy) => {
  const { layout } = root;
  mkdirSync(layout.copies, { recursive: true });
  if (hasCopy) copyFileSync(layout.database, join(layout.copies, 'llmc.db.1000'));
  sql(layout.database, 'PRAGMA user_version = 9999');
  // A copy that the newer llmc made is of no use to this one.
  copyFileSync(layout.database, join(layout.copies, 'llmc.db.2000'));
  const { database } = await root.doctor();
  expect(database).toMatchObject({
    level: 'failed',
    message: expect.stringMatching(/written by .* \(schema 9999, this one knows \d+\)$/),
    hint: expect.stringMatching(/^Use the llmc that wrote it, or a newer one\. .* llmc doctor --repair --yes/),
    repairs: [{ safe: false, does: expect.stringContaining(does), step: { kind: 'newer_database' } }],
  });
  await expect(stateOf(root)).rejects.toMatchObject({ hint: expect.stringContaining('llmc doctor --repair') });
  const first = () => setAsideNewer(layout.database, 5_000, systemFiles);
  const [done] = await root.own((context) => repairRoot(context, [{ kind: 'newer_database' }]), first);
  expect(done).toMatchObject({ outcome: 'repaired', lines: expect.arrayContaining([expect.stringContaining('llmc.db.newer-5000')]) });
  expect((await root.doctor())['database']?.level).toBe('ok');
  expect((await worker(root, 'eve'))?.commit_sha).toBe(root.work);
  expect(readdirSync(layout.root)).toContain('llmc.db.newer-5000');
});

test('a root whose state cannot be read gets no new database', async () => {
  const { layout } = root;
  truncateSync(layout.state, 100);
  for (const path of [layout.stateBackup, layout.database]) rmSync(path);
  await expect(stateOf(root)).rejects.toMatchObject({ code: 'STATE_INVALID', hint: expect.stringContaining('llmc doctor --rebuild') });
  expect(readdirSync(layout.root)).not.toContain('llmc.db');
});

test('a rebuild takes a branch that git cannot compare with main for work', async () => {
  const { layout, repo } = root;
  rmSync(layout.state);
  rmSync(layout.stateBackup);
  rmSync(layout.database);
  await repo.run(['update-ref', '-d', 'refs/remotes/origin/main'], layout.root);
  expect((await rebuild()).map(({ status }) => status)).toEqual(['needs_review', 'needs_review']);
});

test('a rebuild keeps the record of a worker whose branch is gone, and the damaged file until the new one is there', async () => {
  const { layout, repo } = root;
  root.editState((state) => changed(state, 'adam', { name: '' }));
  rmSync(layout.stateBackup);
  rmSync(layout.database);
  await repo.run(['update-ref', '-d', 'refs/heads/llmc/eve'], layout.root);
  expect((await rebuild()).map(({ worker: name, from }) => `${name} ${from}`)).toEqual(['adam branch', 'eve record']);
  expect(readdirSync(layout.root).filter((name) => name.startsWith('state.json.broken-'))).toHaveLength(1);
});

/** Nothing is left of the records. */
function loseState({ layout }: DamagedRoot): void {
  for (const path of [layout.state, layout.stateBackup, layout.database]) rmSync(path);
}

test('a rebuild takes the task and the conversation from the files of the agent, and its number from the session that runs', async () => {
  loseState(root);
  const lastConversation = ({ name }: Worker) => (name === 'eve' ? { id: 'abc-1', task: 'Do the work.' } : undefined);
  const runningIncarnation = async (session: string) => (session === 'llmc-eve' ? 12 : undefined);
  expect(await rebuild({ lastConversation, runningIncarnation })).toMatchObject([
    { worker: 'adam', conversation: false },
    { worker: 'eve', conversation: true },
  ]);
  expect(await worker(root, 'eve')).toMatchObject({
    conversation_id: 'abc-1',
    conversation_used: true,
    current_prompt: 'Do the work.',
    incarnation: 12,
    status_before_offline: 'needs_review',
  });
  expect(await worker(root, 'adam')).toMatchObject({ conversation_id: null, current_prompt: null, incarnation: 0 });
});

test('a rebuilt worker with changes waits for a person, and is not reset', async () => {
  const { layout, repo } = root;
  loseState(root);
  await repo.write('draft.txt', 'half\n', layout.worktree('adam'));
  await rebuild();
  expect(await worker(root, 'adam')).toMatchObject({
    status_before_offline: 'needs_input',
    attention: { kind: 'repaired', problem: 'no_record' },
  });
  expect(Object.values(await root.doctor()).flatMap(({ repairs = [] }) => repairs)).toEqual([]);
  expect(await repo.read('draft.txt', layout.worktree('adam'))).toBe('half\n');
});

test.each<[string, (root: DamagedRoot) => void]>([
  ['git cannot read', ({ layout }) => writeFileSync(join(layout.root, 'sandbox/adam/git/worktrees/adam/index'), 'x'.repeat(200))],
  ['is cut off', ({ layout }) => rmSync(join(layout.worktree('adam'), '.git'))],
])('a rebuild takes a worktree that %s for work', async (_, damage) => {
  loseState(root);
  damage(root);
  expect((await rebuild()).map(({ worker: name, status }) => `${name} ${status}`)).toEqual(['adam needs_input', 'eve needs_review']);
});
