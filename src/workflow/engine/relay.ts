import type { EnginePorts } from './ports.ts';

/**
 * Stores what happened to the tasks of workers as events of their runs. Killed between the two steps, it posts the same again, and the
 * key of the event makes that a no-op.
 */
export async function relay({ workers, runs, random, fault }: Pick<EnginePorts, 'workers' | 'runs' | 'random' | 'fault'>): Promise<number> {
  const outcomes = workers.outcomes();
  for (const { seq, run, at, what } of outcomes) {
    if (what !== null) await runs.post(run, { key: `outcome:${seq}`, at, dice: random.next(), what });
    await fault('relay:after-post');
  }
  if (outcomes.length > 0) workers.relayed(outcomes);
  return outcomes.length;
}
