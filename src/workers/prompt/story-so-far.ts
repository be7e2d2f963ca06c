import type { Worker } from '../../store/state.ts';
import { type Delivery, typedDeliveries } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';
import { continueConflictPrompt, continuePrompt, taskPrompt } from './prompts.ts';

/** More prompts than a person sends for one task. */
const MOST_PROMPTS = 50;
/** A story that is too long would be a file, and its newest prompts matter most. */
const MOST_CHARACTERS = 64 * 1_024;

/** For an empty conversation: the task, and what a person has told the agent since. */
export async function storySoFar(
  context: Pick<WorkContext, 'store' | 'layout' | 'config'>,
  name: string,
  acked: readonly Delivery[],
): Promise<string> {
  const { store, layout } = context;
  const worker = store.worker(name);
  const task = worker.current_prompt === null ? [] : [taskPrompt(worker, layout.root, await context.config(), worker.current_prompt)];
  const rows = typedDeliveries(store.database, name, MOST_PROMPTS);
  // The prompt about a conflict says everything: the task and the conflict.
  const conflict =
    standing(worker) === 'rebasing'
      ? rows.find(({ purpose, fresh_conversation }) => purpose === 'conflict' && fresh_conversation === 1)
      : undefined;
  if (conflict !== undefined) return [continueConflictPrompt(), conflict.text].join('\n\n');
  const told = toldSince(worker, rows, acked);
  return [continuePrompt(worker.expects), ...task, ...(told.length === 0 ? [] : ['## Told since then, the oldest first', ...told])].join(
    '\n\n',
  );
}

/** The prompts of a person that reached the agent since its task, the oldest first; the oldest are left out if all are too long. */
function toldSince({ current_prompt }: Worker, rows: readonly Delivery[], acked: readonly Delivery[]): readonly string[] {
  const begun = rows.findIndex(({ purpose }) => purpose === 'task');
  const known = new Set(acked.map(({ id }) => id));
  let left = MOST_CHARACTERS;
  return rows
    .slice(0, begun === -1 ? undefined : begun)
    .filter(({ id, state, reason }) => known.has(id) || (state === 'done' && reason?.kind !== 'taken_back'))
    .filter(({ purpose, text }) => (purpose === 'feedback' || purpose === 'message') && text !== current_prompt)
    .filter(({ text }, index) => {
      left -= text.length;
      return index === 0 || left >= 0;
    })
    .map(({ text }) => text)
    .toReversed();
}
