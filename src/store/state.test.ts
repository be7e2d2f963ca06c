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

test('what an earlier version wrote is read as a state without limits and stand-ins', () => {
  const { limits: _, ...state } = emptyState();
  const { stand_in: __, reviewed_commit: ___, reviewed_words: ____, ...adam } = aWorker();
  expect(stateSchema.parse({ ...state, workers: { adam } })).toEqual({ ...emptyState(), workers: { adam: aWorker() } });
});

test.each([
  ['Review it: llmc review adam', { kind: 'review', uncommitted: false }],
  ['Review it: llmc review adam (there are uncommitted changes besides the commit)', { kind: 'review', uncommitted: true }],
  [
    'Review it: llmc review adam. Besides, the agent ended 3 times in a row (llmc why adam); it is started again once you have decided',
    { kind: 'review_without_agent', endings: 3 },
  ],
  [
    'Its commit conflicts with main in a.ts, b c.ts. Ask it to rebase: llmc message adam "Rebase onto origin/main and resolve the conflicts", or llmc reject',
    { kind: 'conflict', branch: 'main', files: ['a.ts', 'b c.ts'] },
  ],
  ['A prompt waits because a draft stands in the input box. Send or clear what stands there: llmc attach adam', { kind: 'draft_in_box' }],
  ['A dialog at start-up needs you: Trust it? – llmc attach adam', { kind: 'startup_dialog', question: 'Trust it?' }],
  ['Not landed: disk full', { kind: 'note', text: 'Not landed: disk full' }],
])('attention that an earlier version wrote is read: %s', (sentence, attention) => {
  const state = { ...emptyState(), workers: { adam: { ...aWorker(), attention: sentence } } };
  expect(stateSchema.parse(state).workers.adam?.attention).toEqual(attention);
});

/** Earlier versions left these out. */
const LATER = [
  'answer',
  'landed_on',
  'chosen_place',
  'came_back_unchanged',
  'resume_exits',
  'failed_turn',
  'resolution',
  'stand_in',
  'reviewed_commit',
  'reviewed_words',
  'summary',
  'formatted',
  'left_out',
  'work_size',
  'reviewed_proof',
  'shown_revision',
  'run',
  'pool',
];

describe('a worker', () => {
  test.for(Object.keys(workerSchema.shape).filter((name) => !LATER.includes(name)))('without %s is refused', (field) => {
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
