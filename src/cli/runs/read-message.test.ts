import { writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import { newRun } from '../../workflow/model/new-run.ts';
import { swarmPlan } from '../../workflow/next/samples.ts';
import { SqliteRuns } from '../../workflow/store/sqlite-runs.ts';
import { isRun } from './is-run.ts';
import { readMessage } from './read-message.ts';

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = scratchStore();
  writeFileSync(scratch.layout.config, '');
  const runs = new SqliteRuns(scratch.open().database);
  const first = { key: 'begin', at: 1, dice: 0, what: { kind: 'begin' } } as const;
  await runs.create(newRun('swarm-1', swarmPlan(), {}, 1), first);
  // A worker of this name exists too.
  await runs.create(newRun('adam', swarmPlan(), {}, 1), first);
  return () => scratch[Symbol.dispose]();
});

test.each<[readonly string[], string | undefined, object]>([
  [['swarm-1', 'developer', 'Use tabs.'], undefined, { run: 'swarm-1', role: 'developer', text: 'Use tabs.' }],
  [
    ['reviewer', 'Look at a.ts'],
    'swarm-1-developer',
    { run: 'swarm-1', role: 'reviewer', text: 'Look at a.ts', from: 'swarm-1-developer' },
  ],
  [['reviewer', 'Hello'], 'swarm-1-developer-2', { run: 'swarm-1', role: 'reviewer', text: 'Hello', from: 'swarm-1-developer-2' }],
  [['swarm-1', 'reviewer', 'Hello'], 'adam', { run: 'swarm-1', role: 'reviewer', text: 'Hello', from: 'adam' }],
])('the message %j from %s', async (words, worker, expected) => {
  expect(await readMessage(scratch, words, worker)).toEqual(expected);
});

test.each<[readonly string[], string | undefined]>([
  [['developer', 'Hello'], undefined],
  [['developer', 'Hello'], 'adam'],
  [['developer'], 'swarm-1-developer'],
])('%j from %s does not say enough', async (words, worker) => {
  await expect(readMessage(scratch, words, worker)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('a word names a run unless a worker has that name', async () => {
  expect(await isRun(scratch, 'swarm-1')).toBe(true);
  expect(await isRun(scratch, 'adam')).toBe(false);
  expect(await isRun(scratch, 'swarm-2')).toBe(false);
  expect(await isRun({ layout: { ...scratch.layout, config: '/nowhere' } }, 'swarm-1')).toBe(false);
});
