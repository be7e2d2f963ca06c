import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import { findAgent } from '../../agents/registry.ts';
import { keepSeal, MOST_STALE, recentEvents, recordEvent } from '../../store/tables/events.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { aWatch } from '../samples.ts';
import { ingest } from './ingest.ts';

const SEAL = 'seal-of-adam';
const agent = findAgent('demo');

function drop({ layout }: ScratchStore, name: string, text: string): void {
  mkdirSync(layout.spool('adam'), { recursive: true });
  writeFileSync(join(layout.spool('adam'), name), text);
}

test('a report counts only with the seal of the incarnation', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  keepSeal(store.database, 'adam', 1, SEAL);
  const watch = aWatch();
  drop(scratch, '1~stop~bare.json', '{"message":"over"}');
  drop(scratch, '1~stop~other.json', 'seal-of-baker\n{"message":"over"}');
  drop(scratch, '1~stop~second-line.json', `\n${SEAL}\n{"message":"over"}`);
  expect(ingest(store, watch, agent)).toEqual([]);
  expect(watch.reported.lastTurn).toBeNull();

  drop(scratch, '1~stop~own.json', `${SEAL}\n{"message":"over"}`);
  expect(ingest(store, watch, agent)).toMatchObject([{ fate: 'applied', event: { kind: 'turn_ended', message: 'over' } }]);
  expect(watch.reported.lastTurn).toMatchObject({ message: 'over' });
  expect(readdirSync(scratch.layout.spool('adam'))).toEqual([]);
});

test('forged reports are recorded once per incarnation, without their content', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  keepSeal(store.database, 'adam', 1, SEAL);
  const forge = () => {
    for (let index = 0; index < 50; index += 1) drop(scratch, `1~stop~${index}.json`, '{"message":"forged words"}');
    ingest(store, aWatch(), agent);
  };
  forge();
  forge();
  expect(recentEvents(store.database, 'adam', 10)).toMatchObject([
    { name: 'stop', incarnation: 1, fate: 'forged', event: { kind: 'ignored' } },
  ]);
  const recorded = recentHistory(store.database, 'adam', 10).filter(({ kind }) => kind === 'event');
  expect(recorded.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^ignored a report "stop" without the seal of the agent/)]);
  expect(JSON.stringify(recorded)).not.toContain(SEAL);
});

test('an agent whose seal was lost with llmc.db reports without one until its next start', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  keepSeal(store.database, 'adam', 2, SEAL);
  drop(scratch, '1~stop~bare.json', '{"message":"over"}');
  expect(ingest(store, aWatch({ incarnation: 1 }), agent)).toHaveLength(1);
});

test('a report of another incarnation is recorded without its content, which anyone could have written', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  drop(scratch, '7~prompt_submit~x.json', JSON.stringify({ prompt: 'x'.repeat(1_000_000) }));
  expect(ingest(store, aWatch(), agent)).toEqual([]);
  expect(recentEvents(store.database, 'adam', 10)).toMatchObject([{ name: 'prompt_submit', fate: 'stale', event: { kind: 'ignored' } }]);
});

test('a flood of reports of other incarnations leaves a bounded number of rows, and the events of the running one', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  const ingestOne = (name: string) => {
    drop(scratch, name, '{"message":"over"}');
    ingest(store, aWatch(), agent);
  };
  ingestOne('1~stop~own.json');
  const flood = { worker: 'adam', incarnation: 7, name: 'stop', at: 1, payload: null };
  store.database.exec('BEGIN');
  for (let nth = 0; nth < 3 * MOST_STALE; nth += 1) recordEvent(store.database, { ...flood, id: `${nth}` }, { kind: 'ignored' }, 'stale');
  store.database.exec('COMMIT');
  for (const nth of [1, 2]) ingestOne(`7~stop~${nth}.json`);
  const kept = recentEvents(store.database, 'adam', 9 * MOST_STALE);
  expect(kept.filter(({ fate }) => fate === 'stale')).toHaveLength(MOST_STALE);
  expect(kept.at(-1)).toMatchObject({ fate: 'applied', incarnation: 1 });
});

test('a report counts although the history cannot take a line about an unreadable one beside it, as on a full disk', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  keepSeal(store.database, 'adam', 1, SEAL);
  const watch = aWatch();
  drop(scratch, 'cut.json', '{');
  drop(scratch, '1~stop~own.json', `${SEAL}\n{"message":"over"}`);
  store.database.exec("CREATE TRIGGER full BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'no room'); END");
  expect(() => ingest(store, watch, agent)).toThrow('no room');
  store.database.exec('DROP TRIGGER full');
  ingest(store, watch, agent);
  expect(watch.reported.lastTurn).toMatchObject({ message: 'over' });
  expect(recentHistory(store.database, 'adam', 10)).toMatchObject([{ summary: 'ignored 1 unreadable event files: cut.json' }]);
  expect(readdirSync(scratch.layout.spool('adam'))).toEqual([]);
});
