import { expect, test } from 'vitest';
import { rescueList } from './rescue-text.ts';

const RESCUE = {
  ...{ ref: 'refs/llmc/rescue/adam/20260131T120000Z', name: 'adam/20260131T120000Z', worker: 'adam', sha: 'f'.repeat(40), tree: 't' },
  ...{ parents: ['a'.repeat(40)], at: 0, reason: 'before it was removed', files: 2, commits: 1, task: 'Fix the typo' },
};

test('rescues are listed in columns, with commit, counts and task', () => {
  const old = { ...RESCUE, name: 'baker-2/20260131T110000Z', at: -3_600_000, commits: null, files: 0, task: null };
  expect(rescueList([RESCUE, old], 5_000, Number.POSITIVE_INFINITY).split('\n')).toEqual([
    'rescue                    age  commit        holds              task          why',
    'adam/20260131T120000Z     5s   aaaaaaaaaaaa  1 commit, 2 files  Fix the typo  before it was removed',
    'baker-2/20260131T110000Z  1h   aaaaaaaaaaaa  –                  –             before it was removed',
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
