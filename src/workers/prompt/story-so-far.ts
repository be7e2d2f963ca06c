import type { Worker } from '../../store/state.ts';
import { type Delivery, typedDeliveries } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';
import { continueConflictPrompt, continuePrompt, lostConversationPrompt, taskPrompt } from './prompts.ts';

/** More prompts than a person sends for one task. */
const MOST_PROMPTS = 50;
/** A story that is too long would be a file, and its newest prompts matter most. */
const MOST_CHARACTERS = 64 * 1_024;

/** For an empty conversation that a person asked for, or that replaces a full one: the task, and what a person has told the agent since. */
export async function storySoFar(context: StoryContext, name: string, acked: readonly Delivery[]): Promise<string> {
  const worker = context.store.worker(name);
  const rows = typedDeliveries(context.store.database, name, MOST_PROMPTS);
  const known = new Set(acked.map(({ id }) => id));
  const told = toldSince(worker, rows, ({ id, state, reason }) => known.has(id) || (state === 'done' && reason?.kind !== 'taken_back'));
  const task = await composeTask(context, worker);
  return conflictStory(worker, rows) ?? story([continuePrompt(worker.expects), ...task], 'Told since then', told);
}

/** For a conversation that replaces one which could not be resumed: only what no turn has answered. */
export async function openStory(context: StoryContext, name: string): Promise<string> {
  const worker = context.store.worker(name);
  const rows = typedDeliveries(context.store.database, name, MOST_PROMPTS);
  // A turn that ended has answered everything before it. One that was cut short goes on with the prompt to continue.
  const answered = rows.findIndex(({ state, reason }) => state === 'done' && reason?.kind !== 'cut_short');
  const open = new Set(answered === -1 ? rows : rows.slice(0, answered));
  const lastFeedback = standing(worker) === 'rejected' ? rows.find(({ purpose }) => purpose === 'feedback') : undefined;
  const told = toldSince(worker, rows, (row) => row === lastFeedback || (open.has(row) && (row.state === 'acked' || row.state === 'done')));
  const isAnswered = worker.commit_sha !== null || worker.answer !== null;
  const task = isAnswered && told.length > 0 ? [] : await composeTask(context, worker);
  return conflictStory(worker, rows) ?? story([lostConversationPrompt(worker.expects), ...task], 'Still open', told);
}

type StoryContext = Pick<WorkContext, 'store' | 'layout' | 'config'>;

const composeTask = async ({ layout, config }: StoryContext, worker: Worker): Promise<readonly string[]> =>
  worker.current_prompt === null ? [] : [taskPrompt(worker, layout.root, await config(), worker.current_prompt)];

const story = (begin: readonly string[], heading: string, told: readonly string[]): string =>
  [...begin, ...(told.length === 0 ? [] : [`## ${heading}, the oldest first`, ...told])].join('\n\n');

/** The prompt about a conflict says everything: the task and the conflict. */
function conflictStory(worker: Worker, rows: readonly Delivery[]): string | undefined {
  if (standing(worker) !== 'rebasing') return undefined;
  const conflict = rows.find(({ purpose, fresh_conversation }) => purpose === 'conflict' && fresh_conversation === 1);
  return conflict && [continueConflictPrompt(), conflict.text].join('\n\n');
}

/** The prompts of a person that belong to the story, since its task, the oldest first; the oldest are left out if all are too long. */
function toldSince({ current_prompt }: Worker, rows: readonly Delivery[], belongs: (row: Delivery) => boolean): readonly string[] {
  const begun = rows.findIndex(({ purpose }) => purpose === 'task');
  let left = MOST_CHARACTERS;
  return rows
    .slice(0, begun === -1 ? undefined : begun)
    .filter(belongs)
    .filter(({ purpose, text }) => (purpose === 'feedback' || purpose === 'message') && text !== current_prompt)
    .filter(({ text }, index) => {
      left -= text.length;
      return index === 0 || left >= 0;
    })
    .map(({ text }) => text)
    .toReversed();
}
