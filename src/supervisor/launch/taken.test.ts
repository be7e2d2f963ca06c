import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import type { FailedTurn } from '../../recovery/decide-failed-turn.ts';
import { ackedDeliveries, type Delivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { NOTHING_REPORTED } from '../observe/reported.ts';
import type { Watch } from '../observe/watch.ts';
import { aTmuxWatch, aWatch } from '../samples.ts';
import { takenPrompts } from './taken.ts';

const FAILED: FailedTurn = { error: 'overloaded', message: 'm', event: 7, since_ms: 1, attempt: 1, attempts: 6, until_ms: null };

/** What is known about a prompt that a dead agent had acknowledged, with this text in its record and these prompts behind it. */
async function verdict(recorded: string | undefined, { row = {}, waiting = 0, failed = null, damage, next = false, ...seen }: Case = {}) {
  await using work = await scratchWork({ worker: { agent: 'demo', status: 'working', conversation_id: 'c-1', failed_turn: failed } });
  const { store, layout } = work.context;
  const add = (id: string, fields: Partial<Delivery>) => {
    insertDelivery(store.database, { id, worker: 'adam', purpose: 'message', text: 'go on', fresh_conversation: 0, created_ms: 0 });
    updateDelivery(store.database, id, fields);
  };
  add('taken', { state: 'acked', sent_text: 'go on', typed_ms: 1_000, acked_ms: 1_100, acked_event: 8, incarnation: 1, ...row });
  if (next) add('next', { state: 'acked', sent_text: 'go on', typed_ms: 1_001, acked_ms: 1_200, acked_event: 9, incarnation: 1 });
  for (let index = 0; index < waiting; index += 1) add(`waits-${index}`, {});
  const path = join(layout.scratch('adam'), 'conversations', 'c-1.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  const fact = { type: 'turn', at: 1_050, prompt: recorded };
  writeFileSync(path, recorded === undefined ? '' : `${JSON.stringify(fact)}\n`);
  damage?.(path);
  const watch = aWatch({ tmux: aTmuxWatch('gone'), ...seen });
  const taken = takenPrompts(work.context, watch, ackedDeliveries(store.database, 'adam'), await work.context.config());
  return taken.map(({ record, over }) => (over ? 'over' : record));
}

interface Case extends Partial<Pick<Watch, 'reported' | 'tmux'>> {
  readonly row?: Partial<Delivery>;
  readonly waiting?: number;
  readonly failed?: FailedTurn | null;
  /** The agent has taken a second prompt. */
  readonly next?: boolean;
  /** What happens to the file of the record. */
  readonly damage?: (path: string) => void;
}

test.each([0, 30])('a prompt that the record holds is held, with %d prompts that wait behind it', async (waiting) => {
  expect(await verdict('go on', { waiting })).toEqual(['held']);
  expect(await verdict(undefined, { waiting })).toEqual(['missing']);
});

test.each<[string, Partial<Delivery>, Partial<FailedTurn>, 'held' | 'missing']>([
  ['is held when the failed turn came after it', { acked_event: 6 }, {}, 'held'],
  ['is looked for in the record when it came after the failed turn', { acked_event: 8 }, {}, 'missing'],
  ['is looked for when only the screen showed the failure', { acked_event: 6 }, { event: null }, 'missing'],
  ['is looked for when the agent never reported it', { acked_event: null }, {}, 'missing'],
])('after a failed turn, a prompt that is not recorded %s', async (_, row, failed, expected) => {
  expect(await verdict(undefined, { row, failed: { ...FAILED, ...failed } })).toEqual([expected]);
});

test.each<[string, (path: string) => void, 'missing' | 'unknown']>([
  ['is a record that does not have it', (path) => rmSync(path), 'missing'],
  ['proves nothing when a folder on the way cannot be read', (path) => loopAt(dirname(path)), 'unknown'],
  ['proves nothing when the record is a link to nowhere', (path) => linkAt(path, 'nowhere'), 'unknown'],
  ['proves nothing when a folder is in its place', (path) => folderAt(path), 'unknown'],
])('a missing record %s', async (_, damage, expected) => {
  expect(await verdict('go on', { damage })).toEqual([expected]);
});

function linkAt(path: string, target: string): void {
  rmSync(path, { recursive: true });
  symlinkSync(target, path);
}

/** As root, a test cannot take the access away from itself; a link to itself fails the same way. */
const loopAt = (path: string): void => linkAt(path, path);

function folderAt(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

test('a prompt that the record holds is held, also when the clock was set back after it was typed', async () => {
  const typed = { typed_ms: 3_600_000, acked_ms: 1_100, record_conversation: 'c-1', record_bytes: 0 };
  expect(await verdict('go on', { row: typed })).toEqual(['held']);
  expect(await verdict('go on', { row: { ...typed, record_bytes: 1_000 } }), 'the record was cut').toEqual(['unknown']);
});

describe('the compact command of a dead agent', () => {
  const COMPACT = { purpose: 'compact', text: '/compact', sent_text: '/compact' } as const;
  test.each<[string, Case]>([
    ['as no record has it', {}],
    ['whatever the record says', { damage: (path) => loopAt(dirname(path)) }],
    ['also when llmc itself ended the agent', { tmux: aTmuxWatch() }],
    ['also after an earlier one', { reported: { ...NOTHING_REPORTED, lastCompaction: 7 } }],
  ])('is sent again, %s', async (_, seen) => {
    expect(await verdict('go on', { ...seen, row: COMPACT })).toEqual(['missing']);
  });

  test('is over once the agent has reported that it compacted, also after a failed turn', async () => {
    const reported = { ...NOTHING_REPORTED, lastCompaction: 9 };
    expect(await verdict('go on', { reported, row: COMPACT, failed: FAILED })).toEqual([]);
  });

  test('is over once the agent has taken the next prompt', async () => {
    expect(await verdict('go on', { row: COMPACT, next: true })).toEqual(['over', 'held']);
  });
});
