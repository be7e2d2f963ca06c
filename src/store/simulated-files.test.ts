import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memoryFiles } from '../../test/support/memory-files.ts';
import { systemClock } from '../system/clock.ts';
import { aState, aWorker } from '../workers/samples.ts';
import { makeLayout } from './layout.ts';
import { keepLog } from './log.ts';
import { readSpool } from './spool.ts';
import { readStateFile, writeStateFile } from './state-file.ts';
import { Store } from './store.ts';

/** A root that is on no disk: what a simulated world gives in place of files and of the database's file. */
const LAYOUT = { ...makeLayout('/simulated/root'), database: ':memory:' };

test('a store keeps its state, its backup and its logs in the files it is given, and nothing on the disk', () => {
  const files = memoryFiles();
  writeStateFile(LAYOUT, aState(aWorker()), undefined, files);
  using store = new Store(LAYOUT, systemClock, files);
  keepLog(store);
  store.changeWorker('adam', {
    kind: 'status',
    summary: 'begins',
    change: (worker) => {
      worker.status = 'working';
    },
  });
  expect(readStateFile(LAYOUT.state, files)).toEqual({ kind: 'ok', state: store.state });
  expect(readStateFile(LAYOUT.stateBackup, files)).toMatchObject({ kind: 'ok', state: { workers: { adam: { status: 'idle' } } } });
  expect(files.readText(LAYOUT.log('adam'))).toContain('"summary":"begins"');
  expect(readStateFile(LAYOUT.state).kind).toBe('missing');
  expect(existsSync(LAYOUT.database)).toBe(false);
});

test('a state.json that is broken there is set aside there', () => {
  const files = memoryFiles();
  writeStateFile(LAYOUT, aState(aWorker()), undefined, files);
  files.copy(LAYOUT.state, LAYOUT.stateBackup);
  files.append(LAYOUT.state, 'and more');
  using store = new Store(LAYOUT, { ...systemClock, now: () => 7 }, files);
  expect(store.worker('adam').name).toBe('adam');
  expect(store.repairs).toEqual([expect.stringContaining(`${LAYOUT.state}.broken-7`)]);
  expect(files.readText(`${LAYOUT.state}.broken-7`)).toContain('and more');
});

test('reports are read from the files that are given, oldest first', () => {
  const files = memoryFiles();
  const spool = LAYOUT.spool('adam');
  for (const name of ['1~stop~b.json', '1~ready~a.json', '.1~half~c.json']) files.writePrivate(`${spool}/${name}`, '{}');
  expect(readSpool(files, spool, 'adam').read.map(({ event }) => event?.name)).toEqual(['stop', 'ready']);
});
