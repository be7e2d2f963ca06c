import type { Action, Task } from '../model/action.ts';
import { agentKey } from '../model/agent-key.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { stageAt } from '../model/stage-at.ts';
import { roleAt } from '../next/seat.ts';
import { newWorker } from './attempt.ts';
import type { PerformContext, Performed } from './context.ts';

/** Puts a stage's commit up for the normal review. `accept` and `reject` answer the run later. */
export async function performLand(
  { workers }: PerformContext,
  run: Run,
  { id }: Action,
  { of, seat, commit, by, marks = [] }: Extract<Task, { kind: 'land' }>,
): Promise<Performed> {
  const role = roleOfStage(run, of);
  // A run that is recovered late has none any more.
  if (role !== undefined)
    await workers.make(newWorker(run, { seat, role, step: of, agent: (run.roles[agentKey(role, of)] ?? run.roles[role])?.agent ?? 'own' }));
  const offered = await workers.offer({ id, run: run.id, worker: runWorkerName(run.id, seat), commit, by, marks });
  return offered.kind === 'landed' ? { kind: 'landed', action: id, commit: offered.commit } : { kind: 'started', action: id };
}

function roleOfStage(run: Run, address: string): string | undefined {
  const stage = stageAt(run, address);
  return stage && roleAt(stage);
}
