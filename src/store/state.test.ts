import { describe, expect, test } from 'vitest';
import { aState, aWorker } from '../workers/samples.ts';
import { findWorker } from './find-worker.ts';
import { emptyState, stateSchema, workerSchema } from './state.ts';

const SHA = 'a'.repeat(40);
const problems = (state: unknown): readonly string[] =>
  stateSchema.safeParse(state).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];

describe('a state', () => {
  test('is accepted empty and with workers in every field', () => {
    expect(problems(emptyState())).toEqual([]);
    const full = aWorker({ commit_sha: SHA, base_commit: 'b'.repeat(64), status: 'offline', status_before_offline: 'working' });
    expect(problems(aState(full, aWorker({ name: 'baker' })))).toEqual([]);
  });

  test('of another version, with a field nobody knows or without one everybody needs is refused', () => {
    expect(problems({ ...emptyState(), version: 2 })).toEqual([expect.stringContaining('version')]);
    expect(problems({ ...emptyState(), colour: 'red' })).toEqual([expect.stringMatching(/unrecognized key.*colour/i)]);
    expect(problems(null)).toHaveLength(1);
    for (const field of Object.keys(emptyState()).filter((name) => name !== 'limits')) {
      const without = Object.fromEntries(Object.entries(emptyState()).filter(([name]) => name !== field));
      expect(problems(without)).toEqual([expect.stringContaining(field)]);
    }
  });

  test('whose key and name of a worker differ is refused, naming both', () => {
    expect(problems({ ...emptyState(), workers: { adam: aWorker({ name: 'baker' }) } })).toEqual([
      'workers.adam.name: is "baker" under the key "adam"',
    ]);
  });
});

describe('a worker', () => {
  test.for(Object.keys(workerSchema.shape))('without %s is refused', (field) => {
    const without = Object.fromEntries(Object.entries(aWorker()).filter(([name]) => name !== field));
    expect(problems({ ...emptyState(), workers: { adam: without } })).toContainEqual(expect.stringContaining(`workers.adam.${field}`));
  });

  test.for<[string, unknown]>([
    ['status', 'asleep'],
    ['status_before_offline', ''],
    ['commit_sha', 'abc123'],
    ['base_commit', 'HEAD'],
    ['incarnation', -1],
    ['incarnation', 1.5],
    ['crash_count', '3'],
    ['created_at_unix', 1.5],
    ['conflicted_files', [1]],
    ['expects', 'poem'],
    ['shoe_size', 42],
  ])('with %s %j is refused', ([field, value]) => {
    expect(problems({ ...emptyState(), workers: { adam: { ...aWorker(), [field]: value } } })).not.toEqual([]);
  });

  test('is found by its own name only, and one that is not there is told with those that are', () => {
    const state = aState(aWorker(), aWorker({ name: 'baker' }));
    expect(findWorker(state, 'baker').name).toBe('baker');
    expect(() => findWorker(state, 'charlie')).toThrow(
      expect.objectContaining({ code: 'WORKER_NOT_FOUND', hint: 'The workers are: adam, baker.' }),
    );
    expect(() => findWorker(emptyState(), 'constructor')).toThrow(
      expect.objectContaining({ code: 'WORKER_NOT_FOUND', hint: expect.stringMatching(/^llmc add [a-z]+$/) }),
    );
  });

  test('the workers of many runs do not bury those of the user', () => {
    const run = { id: 'swarm-1', role: 'developer', agent: 'demo', model: null, role_prompt: null, session: '', resting: true, task: null };
    const ofRuns = Array.from({ length: 20 }, (_, index) => aWorker({ name: `swarm-1-developer-${index + 2}`, run }));
    expect(() => findWorker(aState(aWorker(), ...ofRuns), 'charlie')).toThrow(
      expect.objectContaining({ hint: 'Workers: adam; all of them: llmc status' }),
    );
    expect(() => findWorker(aState(...ofRuns), 'charlie')).toThrow(expect.objectContaining({ hint: 'llmc status' }));
  });
});
