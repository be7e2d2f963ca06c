import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Task } from '../model/action.ts';
import { newRun, swarmPlan } from '../next/samples.ts';
import type { PerformContext } from './context.ts';
import { performNudge } from './nudge.ts';
import { FakeWorkers } from './samples.ts';

const NOW = 10_000_000;
const run = newRun(swarmPlan(), 0);
const TASK = { kind: 'nudge', seat: 'researcher', text: 'How far?', interrupt: true, takenMs: null, silentMs: 30_000 } as const;

/** Looks at an agent that last showed progress then. */
async function nudge(progressAt: number | null, changes: Partial<Extract<Task, { kind: 'nudge' }>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-nudge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workers = new FakeWorkers(folder);
  workers.progress = () => progressAt;
  await workers.make({ name: 'swarm-1-researcher', run: 'swarm-1', role: 'researcher', agent: undefined, model: undefined, prompt: '' });
  Object.assign(workers.workers.get('swarm-1-researcher') ?? {}, { task: 'swarm-1.1', busy: true, resting: false });
  const context = { workers, clock: { now: () => NOW } } as Partial<PerformContext> as PerformContext;
  const answer = await performNudge(context, run, { id: 'swarm-1.2', step: 'research', task: TASK }, { ...TASK, ...changes });
  return { answer, asked: workers.nudges };
}

test.each<[string, number | null, number | null, boolean]>([
  ['that showed progress a moment ago works', NOW - 29_999, null, true],
  ['that showed nothing for long does not', NOW - 30_000, null, false],
  ['that nobody has observed yet is not taken for one that hangs', null, null, true],
  ['that went on after it took the question has answered', NOW - 20_000, NOW - 30_000, true],
  ['that only shows the question has not', NOW - 25_001, NOW - 30_000, false],
  ['that showed nothing since has not', NOW - 31_000, NOW - 30_000, false],
])('an agent %s', async (_, progressAt, takenMs, works) => {
  expect((await nudge(progressAt, { takenMs })).answer).toEqual({ kind: 'nudged', action: 'swarm-1.2', works });
});

test('an agent at work is asked without an interrupt, a silent one with it if its run says so, and nobody is asked by a mere look', async () => {
  expect((await nudge(NOW - 1)).asked).toMatchObject([
    { id: 'swarm-1.2', worker: 'swarm-1-researcher', text: 'How far?', interrupt: false },
  ]);
  expect((await nudge(NOW - 60_000)).asked).toMatchObject([{ interrupt: true }]);
  expect((await nudge(NOW - 60_000, { interrupt: false })).asked).toMatchObject([{ interrupt: false }]);
  expect((await nudge(NOW - 60_000, { text: null })).asked).toEqual([]);
});

test('a worker that is gone begins the task again', async () => {
  expect((await nudge(NOW, { seat: 'developer' })).answer).toEqual({ kind: 'lost', action: 'swarm-1.2' });
});
