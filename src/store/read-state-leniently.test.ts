import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { aState, aWorker, ofRun } from '../workers/samples.ts';
import { readStateLeniently } from './read-state-leniently.ts';

test.each<[string, unknown]>([
  ['failed_turn', 5],
  ['failed_turn', {}],
  ['failed_turn', { error: 'network', message: 'x', since_ms: 0, attempt: 1, attempts: 6, until_ms: 'soon' }],
  ['summary', ['x']],
  ['landed_on', 5],
  ['work_size', { insertions: 'many' }],
  ['run', 'swarm-1'],
  ['run', { ...ofRun(), model: 5 }],
])('a state file whose worker has as its %s %j is broken', (field, value) => {
  using scratch = scratchStore();
  const text = JSON.stringify({ ...aState(), revision: 1_000, workers: { adam: { ...aWorker(), [field]: value } } });
  for (const file of [scratch.layout.state, scratch.layout.stateBackup]) writeFileSync(file, text);
  expect(() => readStateLeniently(scratch.layout)).toThrow(expect.objectContaining({ code: 'STATE_INVALID' }));
});

test('a state file with the worker of a run is sound', () => {
  using scratch = scratchStore();
  const worker = aWorker({ summary: 'Done.', run: ofRun() });
  writeFileSync(scratch.layout.state, JSON.stringify({ ...aState(worker), revision: 1_000 }));
  expect(readStateLeniently(scratch.layout).workers.adam).toEqual(worker);
});
