import type { Instant } from '../../base/ports.ts';
import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import type { PerformContext, Performed } from './context.ts';

type NudgeTask = Extract<Task, { kind: 'nudge' }>;

/** Looks whether an agent whose time is up works, and asks it how far it is. One that works is not interrupted. */
export async function performNudge({ workers, clock }: PerformContext, run: Run, { id }: Action, task: NudgeTask): Promise<Performed> {
  const worker = runWorkerName(run.id, task.seat);
  if (workers.view(worker) === undefined) return { kind: 'lost', action: id };
  const works = hasWorked(workers.progressAt(worker), task, clock.now());
  const { text, interrupt } = task;
  if (text !== null) await workers.nudge({ id, worker, text, interrupt: interrupt && !works });
  return { kind: 'nudged', action: id, works };
}

/** What an agent shows this soon after it took the question is the question itself, not an answer. */
const LONGEST_ECHO_MS = 5_000;

/** An agent that nobody has observed yet, as right after a start of the supervisor, is not taken for one that hangs. */
function hasWorked(progressAt: Instant | null, { takenMs, silentMs }: NudgeTask, now: Instant): boolean {
  if (progressAt === null) return true;
  if (takenMs === null) return now - progressAt < silentMs;
  return progressAt > takenMs + Math.min(LONGEST_ECHO_MS, silentMs / 6);
}
