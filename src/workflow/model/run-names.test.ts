import { expect, test } from 'vitest';
import { workerNameSchema } from '../../config/worker-name.ts';
import { freeRunId, isRunWorker, runWorkerName } from './run-names.ts';

test.each<[string, readonly string[], string]>([
  ['swarm', [], 'swarm-1'],
  ['swarm', ['swarm-1', 'swarm-3', 'fix-9'], 'swarm-4'],
  ['swarm', ['swarm-one', 'swarm-1-2', 'swarm'], 'swarm-1'],
  ['literature-review', ['literature-1'], 'literature-2'],
  ['averyveryverylongname', [], 'averyveryv-1'],
  ['a-', [], 'a-1'],
  ['release-notes-of-the-week', [], 'release-1'],
])('a run of %s beside %j is called %s', (workflow, taken, expected) => {
  expect(freeRunId(workflow, taken)).toBe(expected);
});

test('the longest names still make the name of a worker', () => {
  const run = freeRunId('literature-review', ['literature-98']);
  expect(workerNameSchema.safeParse(runWorkerName(run, 'r'.repeat(16), 4)).success).toBe(true);
});

test.each([
  ['swarm-1-developer', true],
  ['swarm-1-developer-2', true],
  ['swarm-1-developer-codex', false],
  ['swarm-1-reviewer', false],
  ['swarm-11-developer', false],
])('%s belongs to the developers of swarm-1: %s', (worker, expected) => {
  expect(isRunWorker(worker, 'swarm-1', 'developer')).toBe(expected);
});
