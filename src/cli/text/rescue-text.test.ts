import { expect, test } from 'vitest';
import { pruneText, rescueList } from './rescue-text.ts';

const RESCUE = {
  ref: 'refs/llmc/rescue/adam/20260131T120000Z',
  name: 'adam/20260131T120000Z',
  worker: 'adam',
  sha: 'f'.repeat(40),
  tree: 't',
  parents: ['a'.repeat(40)],
  at: 0,
  reason: 'before it was removed',
  files: 2,
  commits: 1,
  others: [],
  task: 'Fix the typo',
  bytes: null,
};

test('rescues are listed in columns, with commit, counts and task', () => {
  const old = { ...RESCUE, name: 'baker-2/20260131T110000Z', at: -3_600_000, commits: null, files: 0, others: ['a'], task: null };
  expect(rescueList([RESCUE, old], 5_000, Number.POSITIVE_INFINITY).split('\n')).toEqual([
    'rescue                    age  commit        holds              task          why',
    'adam/20260131T120000Z     5s   aaaaaaaaaaaa  1 commit, 2 files  Fix the typo  before it was removed',
    'baker-2/20260131T110000Z  1h   aaaaaaaaaaaa  1 more commit      –             before it was removed',
  ]);
});

test.each([
  [60, 'rescue                 age  commit        holds'],
  [80, 'rescue                 age  commit        holds              task'],
  [84, 'rescue                 age  commit        holds              task          why'],
  [10, 'rescue'],
])('at %i columns, a column without room is left out', (columns, heading) => {
  expect(rescueList([RESCUE], 5_000, columns).split('\n')[0]).toBe(heading);
});

test('lines are cut at the right edge of the terminal', () => {
  for (const line of rescueList([RESCUE], 5_000, 60).split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KB'],
  [10_240, '10 KB'],
  [5_400_000, '5.1 MB'],
  [3 * 1024 ** 3, '3.0 GB'],
  [5_000 * 1024 ** 3, '5000 GB'],
])('%i bytes are shown as %s, in a column of their own', (bytes, text) => {
  const [heading, row] = rescueList([{ ...RESCUE, bytes }], 5_000, Number.POSITIVE_INFINITY).split('\n');
  expect(heading).toMatch(/holds +size +task/);
  expect(row).toContain(`2 files  ${text}  `);
});

test('a prune says what it deleted, or would delete, and how much is kept', () => {
  const found = { pruned: [{ ...RESCUE, bytes: 2_048 }], kept: 3 };
  const last = (dryRun: boolean) => pruneText(found, dryRun, 5_000, 200).split('\n').at(-1);
  expect(last(true)).toBe('Would delete 1 rescue, 2.0 KB; 3 kept. Nothing was changed.');
  expect(last(false)).toBe('Deleted 1 rescue, 2.0 KB; 3 kept. git frees the space when it next cleans up.');
  expect(pruneText({ pruned: [], kept: 3 }, false, 0, 80)).toBe('No rescue is that old; 3 kept.');
});
