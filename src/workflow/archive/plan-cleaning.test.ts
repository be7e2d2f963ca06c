import { describe, expect, test } from 'vitest';
import { aWorker, ofRun } from '../../workers/samples.ts';
import { type CleaningFacts, type CleaningRequest, planCleaning } from './plan-cleaning.ts';

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const BOTH: CleaningRequest = { runs: true, worktrees: true, olderThanMs: 30 * DAY_MS };

const run = (id: string, endedDaysAgo: number | null, open = false): CleaningFacts['runs'][number] => ({
  id,
  status: endedDaysAgo === null ? 'running' : 'done',
  open,
  endedMs: endedDaysAgo === null ? null : NOW - endedDaysAgo * DAY_MS,
});
const worker = (name: string, of: string | null, lastDaysAgo = 0, changes: Parameters<typeof aWorker>[0] = {}) =>
  aWorker({ name, run: of === null ? null : ofRun({ id: of }), last_activity_unix: (NOW - lastDaysAgo * DAY_MS) / 1_000, ...changes });
const plan = (facts: Partial<CleaningFacts>, request: Partial<CleaningRequest> = {}) =>
  planCleaning({ runs: [], workers: [], left: [], ...facts }, { ...BOTH, ...request }, NOW);

describe('what a cleaning takes', () => {
  test('runs that ended 30 days ago or earlier, never one that goes on', () => {
    const runs = [run('a-1', 30), run('b-1', 29.9), run('c-1', 400), run('d-1', null), run('e-1', -1)];
    expect(plan({ runs }).runs).toEqual(['a-1', 'c-1']);
    expect(plan({ runs }, { olderThanMs: 0 }).runs).toEqual(['a-1', 'b-1', 'c-1']);
    expect(plan({ runs }, { runs: false }).runs).toEqual([]);
  });

  test('not a run for which the supervisor has something to do', () => {
    expect(plan({ runs: [run('a-1', 40, true)] })).toMatchObject({ runs: [], kept: [{ name: 'a-1', reason: { kind: 'unfinished' } }] });
  });

  test('the workers of such runs, and with them the run; a run whose worker stays stays too', () => {
    const facts = {
      runs: [run('a-1', 40), run('b-1', null)],
      workers: [worker('a-1-dev', 'a-1'), worker('b-1-dev', 'b-1'), worker('adam', null)],
    };
    expect(plan(facts)).toEqual({ runs: ['a-1'], workers: ['a-1-dev'], left: [], kept: [] });
    expect(plan(facts, { worktrees: false })).toEqual({
      runs: [],
      workers: [],
      left: [],
      kept: [{ name: 'a-1', reason: { kind: 'has_worker', worker: 'a-1-dev' } }],
    });
  });

  test('never work that a person has', () => {
    const reviewed = worker('a-1-dev', 'a-1', 0, {
      status: 'needs_review',
      run: ofRun({ id: 'a-1', task: { id: 'a-1.9', kind: 'review' } }),
    });
    expect(plan({ runs: [run('a-1', 40)], workers: [reviewed] })).toEqual({
      runs: [],
      workers: [],
      left: [],
      kept: [
        { name: 'a-1-dev', reason: { kind: 'person' } },
        { name: 'a-1', reason: { kind: 'has_worker', worker: 'a-1-dev' } },
      ],
    });
  });

  test('workers of a run that nobody knows, and worktrees without a worker, by their own age', () => {
    const workers = [worker('x-1-dev', 'x-1', 31), worker('y-1-dev', 'y-1', 1)];
    const left = [
      { name: 'old', changedMs: NOW - 31 * DAY_MS },
      { name: 'new', changedMs: NOW - DAY_MS },
    ];
    expect(plan({ workers, left })).toEqual({ runs: [], workers: ['x-1-dev'], left: ['old'], kept: [] });
    expect(plan({ workers, left }, { worktrees: false })).toEqual({ runs: [], workers: [], left: [], kept: [] });
  });
});
