import { type Delivery, recentDeliveries } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';
import { continueConflictPrompt, continuePrompt, taskPrompt } from './prompts.ts';

/** For an empty conversation: the task, and the last prompt that was added to it. */
export async function storySoFar(
  context: Pick<WorkContext, 'store' | 'layout' | 'config'>,
  name: string,
  acked: readonly Delivery[],
): Promise<string> {
  const { store, layout } = context;
  const worker = store.worker(name);
  const task = worker.current_prompt === null ? [] : [taskPrompt(worker, layout.root, await context.config(), worker.current_prompt)];
  const earlier = recentDeliveries(store.database, name, 10).filter((row) => row.reason?.kind === 'cut_short');
  // The prompt about a conflict says everything: the task and the conflict.
  const conflict =
    standing(worker) === 'rebasing'
      ? recentDeliveries(store.database, name, 10).find(
          ({ purpose, fresh_conversation }) => purpose === 'conflict' && fresh_conversation === 1,
        )
      : undefined;
  if (conflict !== undefined) return [continueConflictPrompt(), conflict.text].join('\n\n');
  const last = [...acked.toReversed(), ...earlier].find((row) => row.purpose === 'feedback' || row.purpose === 'message');
  return [continuePrompt(worker.expects), ...task, ...(last === undefined ? [] : [last.text])].join('\n\n');
}
