import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import type { PerformContext, Performed, Performing } from './context.ts';

/** Runs shell lines of the workflow. Lines that had not ended when llmc was killed run again, after what is left of them was ended. */
export async function performCheck(
  { workers }: PerformContext,
  run: Run,
  { id }: Action,
  { lines, base, timeoutMs }: Extract<Task, { kind: 'check' }>,
  { signal, report }: Performing,
): Promise<Performed> {
  const onStart = () => report({ kind: 'started', action: id });
  return {
    kind: 'checked',
    action: id,
    ...(await workers.check({ id, run: run.id, base, lines, timeoutMs: timeoutMs ?? null, onStart, signal })),
  };
}
