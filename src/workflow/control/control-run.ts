import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { PERSON } from '../definition/schema-parts.ts';
import { LONGEST_MESSAGE } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { isRunWorker } from '../model/run-names.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { listWaits } from '../view/waits.ts';
import { type AnswerContext, answerAgent } from './answer-agent.ts';
import { type AnswerGiven, chooseAnswer, openQuestions } from './choose-answer.ts';
import { type Posted, postEvent, type RunContext } from './post-event.ts';
import { collectRuns, requireLivingRun } from './require-run.ts';

export interface ControlResult extends Pick<Posted, 'taken'> {
  readonly run: string;
}

/** A person answers a question of a run. A question takes one answer, the first. */
export async function decideRun(
  context: AnswerContext,
  { run: id, ...wanted }: AnswerGiven & { readonly run: string },
): Promise<ControlResult & { readonly number: number; readonly option: string }> {
  const run = await requireLivingRun(collectRuns(context), id);
  requireQuestion(run);
  const chosen = chooseAnswer(run, wanted);
  const { escalation: number, option, text } = chosen;
  const given = await answerAgent(context, run, chosen);
  const what = { kind: 'decided', escalation: number, option, text, ...(given && { given }) } as const;
  const { isNew, taken } = await postEvent(context, id, `decided:${number}`, what);
  if (!isNew && !given)
    throw new LlmcError('ILLEGAL_TRANSITION', `${id}#${number} is answered already; the answer takes effect at the next start`, {
      hint: commandLine('llmc', 'show', id),
    });
  return { run: id, number, option, taken };
}

/** A landing is answered like any other work that waits for a review. */
function requireQuestion(run: Run): void {
  const review = listWaits(run, []).find(({ kind }) => kind === 'review');
  if (review?.kind !== 'review' || openQuestions(run).length > 0) return;
  throw new LlmcError('INVALID_ARGUMENT', `${run.id} asks nothing; the work of ${review.worker} waits for your review`, {
    hint: commandLine('llmc', 'review', review.worker),
  });
}

/** Ends a run: its agents stop, and what they have left is kept. Safe to repeat. */
export async function abortRun(
  context: RunContext,
  { run: id, why }: { readonly run: string; readonly why: string },
): Promise<ControlResult> {
  const { counter } = await requireLivingRun(collectRuns(context), id);
  // A run that was recovered can be aborted again.
  const { taken } = await postEvent(context, id, `abort:${counter}`, { kind: 'abort', why });
  return { run: id, taken };
}

/** Stores a checkpoint now. */
export async function checkpointRun(
  context: RunContext,
  { run: id, note }: { readonly run: string; readonly note: string },
): Promise<ControlResult & { readonly checkpoint: string | null }> {
  await requireLivingRun(collectRuns(context), id);
  const { taken } = await postEvent(context, id, `checkpoint:${context.random.id()}`, { kind: 'checkpoint', note });
  const made = taken ? (await new SqliteRecords(context.store.database).checkpoints(id)).find(({ type }) => type === 'manual') : undefined;
  return { run: id, taken, checkpoint: made?.id ?? null };
}

export interface RoleMessage {
  readonly run: string;
  readonly role: string;
  readonly text: string;
  /** The worker that sends it; undefined for a person. */
  readonly from?: string | undefined;
}

/** Sends a message to a role of a run. One for an unknown role is kept as a dead letter, and reported. */
export async function sendToRole(
  context: RunContext,
  { run: id, role, text, from }: RoleMessage,
): Promise<ControlResult & { readonly role: string }> {
  if (text.length > LONGEST_MESSAGE)
    throw new LlmcError('INVALID_ARGUMENT', `the message has ${text.length} characters, expected at most ${LONGEST_MESSAGE}`, {
      hint: 'Put it into a file of the repository, and name the file in the message.',
    });
  const { plan } = await requireLivingRun(collectRuns(context), id);
  const roles = Object.keys(plan.roles);
  const sender = from === undefined ? PERSON : (roles.find((each) => isRunWorker(from, id, each)) ?? outsider(from));
  const { taken } = await postEvent(context, id, `message:${context.random.id()}`, { kind: 'message', from: sender, to: role, text });
  if (roles.includes(role)) return { run: id, role, taken };
  throw new LlmcError('ROUTING_FAILED', `${plan.name} has no role "${role}"; the message is kept in the error log of ${id}`, {
    hint: `Its roles are: ${roles.join(', ')}.`,
  });
}

/** A worker of another run or of none. One that is called like a person must not pose as one. */
function outsider(worker: string): string {
  return worker === PERSON ? `the worker ${worker}` : worker;
}
