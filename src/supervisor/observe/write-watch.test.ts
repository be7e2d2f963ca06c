import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { mountDisk, needsDisk } from '../../../test/support/small-disk.ts';
import { lastHeartbeat } from '../../store/tables/heartbeat.ts';
import { WriteWatch } from './write-watch.ts';

/** The watch of a root whose database and folder `run` exist, with what it says and how often the reserve was given up. */
function watching() {
  const scratch = scratchStore();
  const { clock, layout } = scratch;
  const store = scratch.open();
  const said: string[] = [];
  const changes: unknown[] = [];
  const system = { openFiles: 0, released: 0 };
  const reserve = {
    hold: () => {
      if (system.openFiles > 0) throw Object.assign(new Error('open'), { code: 'EMFILE' });
    },
    release: () => {
      system.released += 1;
    },
  };
  const writes = new WriteWatch({ store, clock, layout, files: store.files, say: (line) => said.push(line) }, reserve);
  writes.onRefusal(() => changes.push('refused'));
  writes.onEnd(({ refusal }) => changes.push(`${refusal} is over`));
  const later = (ms: number) => clock.set(clock.now() + ms);
  return { scratch, store, layout, clock, said, changes, system, writes, later, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

const FULL = Object.assign(new Error('write'), { code: 'ENOSPC' });

test('a root that can be written makes nobody wait, and an error of one worker does not either', () => {
  using at = watching();
  expect(at.writes.mustWait()).toBe(false);
  expect(at.writes.suspects(new Error('git failed'))).toBe(false);
  expect(at.writes.suspects(FULL)).toBe(false);
  expect([at.said, at.changes]).toEqual([[], []]);
  expect(lastHeartbeat(at.store.database)).toEqual({ pid: process.pid, at: at.clock.now() });
});

test('on a full disk the loop waits, looks again after growing pauses, reports it once, and continues when there is room', (context) => {
  needsDisk(context);
  using at = watching();
  using disk = mountDisk(at.layout.run, '2m');
  disk.fill();
  expect(at.writes.suspects(FULL)).toBe(true);
  const since = at.clock.now();
  const pauses: number[] = [];
  for (let look = 0; look < 6; look += 1) {
    pauses.push(at.writes.restMs());
    expect(at.writes.suspects(FULL)).toBe(true);
    expect(at.writes.mustWait()).toBe(true);
    at.later(at.writes.restMs());
    expect(at.writes.mustWait()).toBe(true);
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 5_000, 5_000, 5_000]);
  expect(at.writes.refused).toEqual({ refusal: 'disk_full', since });
  disk.free();
  expect(at.writes.mustWait()).toBe(true);
  at.later(5_000);
  expect(at.writes.mustWait()).toBe(false);
  expect(at.changes).toEqual(['refused', 'disk_full is over']);
  expect(at.said).toEqual(['the disk is full: llmc waits until it can write again', 'llmc can write again, and continues']);
});

test('a file system that is mounted read-only is named, although SQLite only reports an error of the disk', (context) => {
  needsDisk(context);
  using at = watching();
  using disk = mountDisk(at.layout.run, '2m');
  disk.readOnly();
  expect(at.writes.check()).toBe(false);
  expect(at.writes.refused?.refusal).toBe('read_only');
  disk.writable();
  expect(at.writes.check()).toBe(true);
});

test('a database that another program has locked makes the loop wait, and each further look has less patience', () => {
  using at = watching();
  at.store.database.exec('PRAGMA busy_timeout = 10');
  using other = new DatabaseSync(at.layout.database);
  other.exec('BEGIN EXCLUSIVE');
  expect(at.writes.check()).toBe(false);
  expect(at.writes.refused?.refusal).toBe('database_locked');
  const patience = () => Object.values(at.store.database.prepare('PRAGMA busy_timeout').get() ?? {})[0];
  const whileLocked = patience();
  expect(at.writes.check()).toBe(false);
  other.exec('ROLLBACK');
  expect(at.writes.check()).toBe(true);
  expect(whileLocked).toBeLessThan(Number(patience()));
});

test('with too many open files each pass notices it, and the reserve is given up for callers', () => {
  using at = watching();
  at.system.openFiles = 1;
  expect(at.writes.mustWait()).toBe(true);
  expect(at.writes.refused?.refusal).toBe('too_many_files');
  expect(at.system.released).toBe(1);
  at.system.openFiles = 0;
  at.later(500);
  expect(at.writes.mustWait()).toBe(false);
});

test('a clock that is set back does not make the wait longer', () => {
  using at = watching();
  at.system.openFiles = 1;
  at.writes.check();
  at.later(-3_600_000);
  expect(at.writes.restMs()).toBeLessThanOrEqual(5_000);
});

test('what is not a refusal of the system is reported once, and the loop goes on', () => {
  using at = watching();
  mkdirSync(at.layout.run, { recursive: true });
  at.store.database.close();
  for (const _look of [1, 2, 3]) expect(at.writes.check()).toBe(true);
  expect(at.said).toEqual([expect.stringMatching(/^cannot record the heartbeat: /)]);
});
