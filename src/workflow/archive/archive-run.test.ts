import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import type { Store } from '../../store/store.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { adoptRuns } from '../mirror/adopt.ts';
import { headText, stateText } from '../mirror/state-text.ts';
import type { Run } from '../model/run.ts';
import { newRun, swarmPlan } from '../next/samples.ts';
import { RUN_TABLES } from '../store/sqlite-archive.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { archiveRun, finishArchives } from './archive-run.ts';
import { archivedNames, readArchived } from './archived.ts';

let scratch: ScratchStore;
let store: Store;
let runs: SqliteRuns;

beforeEach(async () => {
  scratch = scratchStore();
  store = scratch.open();
  runs = new SqliteRuns(store.database);
  const run: Run = {
    ...newRun(swarmPlan(), 1_000),
    status: 'done',
    clock: { startedMs: 1_000, stoppedMs: 0, stoppedSince: null, endedMs: 2_000 },
  };
  await runs.create(run, { key: 'begin', at: 1_000, dice: 0, what: { kind: 'begin' } });
  store.database.exec('UPDATE run_events SET consumed = 1');
  await runs.note('swarm-1', 'the run is done', 2_000);
  put('artifacts/research-1-findings.md', '# Findings');
  put('workflow.yaml', headText(run));
  put('state.yaml', stateText(run, 2_000));
  for (const name of ['swarm-1', 'swarm-1-developer', 'swarm-12', 'adam']) writeFileSync(store.layout.log(name), '{"text":"done"}\n');
});
afterEach(() => scratch[Symbol.dispose]());

const live = (path = '') => join(store.layout.runs, 'swarm-1', path);
const archived = (path = '') => join(store.layout.runs, 'archive/swarm-1', path);
function put(path: string, text: string): void {
  mkdirSync(dirname(live(path)), { recursive: true });
  writeFileSync(live(path), text);
}
const context = (files = systemFiles) => ({ store, files, layout: store.layout, clock: scratch.clock, say: () => undefined });
const archive = (files = systemFiles) => archiveRun(context(files), 'swarm-1');
const rowCount = (): number =>
  ['runs', 'run_events', 'run_history'].reduce((sum, table) => sum + store.database.prepare(`SELECT 1 FROM ${table}`).all().length, 0);

describe('a run that is archived', () => {
  test('is in one folder, with its log, its report, its results and its rows, and in no table', async () => {
    expect(await archive()).toBe(archived());
    expect(readdirSync(archived()).toSorted()).toEqual([
      'archive.json',
      'artifacts',
      'log.yaml',
      'report.json',
      'rows.json',
      'state.yaml',
      'swarm-1-developer.log',
      'swarm-1.log',
      'workflow.yaml',
    ]);
    expect(JSON.parse(readFileSync(archived('rows.json'), 'utf8'))).toMatchObject({
      runs: [{ id: 'swarm-1', status: 'done' }],
      run_history: [{ text: 'the run is done' }],
    });
    expect(JSON.parse(readFileSync(archived('report.json'), 'utf8'))).toMatchObject({ run: 'swarm-1', status: 'done' });
    expect(systemFiles.exists(live())).toBe(false);
    expect(readdirSync(store.layout.logs)).toEqual(expect.arrayContaining(['adam.log', 'swarm-12.log']));
    expect(rowCount()).toBe(0);
    expect(readArchived(systemFiles, store.layout, 'swarm-1')).toMatchObject({ status: 'done', ended_ms: 2_000, folder: archived() });
  });

  test('comes back when a person moves its folder back', async () => {
    await archive();
    renameSync(archived(), live());
    await adoptRuns(runs, { files: systemFiles, clock: scratch.clock, folder: store.layout.runs, say: () => undefined });
    expect(await runs.load('swarm-1')).toMatchObject({ status: 'done', clock: { endedMs: 2_000 } });
  });

  test('keeps links as links, and nothing outside is touched', async () => {
    const outside = join(dirname(store.layout.root), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'precious'), 'mine');
    symlinkSync(outside, live('artifacts/link'));
    symlinkSync(join(outside, 'precious'), live('log.yaml'));
    await archive();
    expect(readlinkSync(archived('artifacts/link'))).toBe(outside);
    expect(lstatSync(archived('log.yaml')).isFile()).toBe(true);
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('mine');
  });

  test.each(['swarm-1', 'archive'])('is refused if %s is a link that leads elsewhere', async (name) => {
    const outside = join(dirname(store.layout.root), 'outside');
    mkdirSync(outside);
    if (name === 'swarm-1') renameSync(live(), join(outside, 'moved'));
    symlinkSync(name === 'swarm-1' ? join(outside, 'moved') : outside, join(store.layout.runs, name));
    await expect(archive()).rejects.toThrow(/is not a folder/);
    expect(rowCount()).toBe(3);
  });

  test.each(['rows.json', 'archive.json'])('stays whole on a disk that is full at %s', async (name) => {
    const full = (path: string, text: string, options?: object) => {
      if (path.endsWith(name)) throw new Error('ENOSPC: no space left on device');
      systemFiles.replace(path, text, options);
    };
    await expect(archive({ ...systemFiles, replace: full })).rejects.toThrow('ENOSPC');
    expect(systemFiles.exists(live('artifacts/research-1-findings.md'))).toBe(true);
    expect(rowCount()).toBe(3);
    await archive();
    expect(rowCount()).toBe(0);
  });

  test('stays if it goes on meanwhile', async () => {
    await runs.post('swarm-1', { key: 'tick', at: 3_000, dice: 0, what: { kind: 'tick' } });
    await expect(archive()).rejects.toThrow('swarm-1 goes on');
    expect(systemFiles.exists(live('workflow.yaml'))).toBe(true);
  });

  test('whose folder was moved before a kill loses its rows at the next start', async () => {
    await archive({
      ...systemFiles,
      rename: (from, to) => {
        systemFiles.rename(from, to);
        throw new Error('killed');
      },
    }).catch(() => undefined);
    expect([systemFiles.exists(live()), rowCount()]).toEqual([false, 3]);
    await finishArchives(context(), runs);
    expect(rowCount()).toBe(0);
    expect(readFileSync(archived('artifacts/research-1-findings.md'), 'utf8')).toBe('# Findings');
    expect(archivedNames(systemFiles, store.layout)).toEqual(['swarm-1']);
  });

  test('takes the rows of every table along that belongs to runs', async () => {
    const tables = store.database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%REFERENCES runs%'").all();
    expect(RUN_TABLES).toEqual(expect.arrayContaining(tables.map(({ name }) => name)));
    store.database.exec("INSERT INTO run_plans (run, digest, plan_json, until_ms) VALUES ('swarm-1', 'd', '{}', 1)");
    await archive();
    expect(rowCount()).toBe(0);
    expect(JSON.parse(readFileSync(archived('rows.json'), 'utf8'))).toMatchObject({ run_plans: [{ digest: 'd' }] });
  });
});
