import { z } from 'zod';
import type { Action, Task } from '../model/action.ts';
import { inItem } from '../model/address.ts';
import { agentKey } from '../model/agent-key.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { itemAround, stageAt } from '../model/stage-at.ts';
import { roleAt } from '../next/seat.ts';
import { newRunWorker } from './attempt.ts';
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
    await workers.make(
      newRunWorker(run, { seat, role, step: of, agent: (run.roles[agentKey(role, of)] ?? run.roles[role])?.agent ?? 'own' }),
    );
  const offered = await workers.offer({ id, run: run.id, worker: runWorkerName(run.id, seat), commit, task: wordsFor(run, of), by, marks });
  return offered.kind === 'landed' ? { kind: 'landed', action: id, commit: offered.commit } : { kind: 'started', action: id };
}

function roleOfStage(run: Run, address: string): string | undefined {
  const stage = stageAt(run, address);
  return stage && roleAt(stage);
}

/** What the work of a stage is about: its item, or the text that the run was started with. */
export function wordsFor(run: Pick<Run, 'id' | 'plan' | 'inputs' | 'steps'>, address: string): string {
  const around = itemAround(run, address);
  if (around !== undefined) {
    const value = run.steps[inItem(around.within.id, around.key)]?.item?.value;
    const title = titleSchema.safeParse(value).data?.title ?? (typeof value === 'string' ? value : undefined);
    return title === undefined || title === around.key ? around.key : `${around.key}: ${title}`;
  }
  const texts = Object.entries(run.plan.inputs).flatMap(([name, { type }]) => (type === 'text' ? [run.inputs[name]] : []));
  return texts.find((text) => typeof text === 'string') ?? `${run.id}: ${address}`;
}

const titleSchema = z.object({ title: z.string() });
