import { expect, test } from 'vitest';
import { newRun } from '../model/new-run.ts';
import { newStep } from '../model/new-step.ts';
import type { Run } from '../model/run.ts';
import { sectionsPlan, swarmPlan } from '../next/samples.ts';
import { wordsFor } from './land.ts';

const task = { type: 'text', oneOf: [], optional: false } as const;

test('the work of a run is about the text that the run was started with', () => {
  const plan = { ...swarmPlan(), inputs: { task } };
  expect(wordsFor(newRun('swarm-1', plan, { task: 'Build a clock' }, 0), 'develop')).toBe('Build a clock');
  expect(wordsFor(newRun('swarm-1', { ...plan, inputs: {} }, {}, 0), 'develop')).toBe('swarm-1: develop');
});

test.each<[unknown, string]>([
  [{ id: 's3', title: 'Empty input crashes' }, 's3: Empty input crashes'],
  ['Empty input crashes', 's3: Empty input crashes'],
  ['s3', 's3'],
  [{ id: 's3' }, 's3'],
])('the work of an item %j is about the item', (value, words) => {
  const plan = sectionsPlan();
  const [forEach] = plan.stages.filter((stage) => stage.kind === 'for_each');
  const [stage] = forEach?.stages ?? [];
  const address = `${forEach?.id}/s3`;
  const steps: Run['steps'] = { [address]: { ...newStep(address), item: { key: 's3', value, after: [], recoveries: 0 } } };
  expect(wordsFor({ ...newRun('lit-1', plan, {}, 0), steps }, `${stage?.id}/s3`)).toBe(words);
});
