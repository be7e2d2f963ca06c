import { isDeepStrictEqual } from 'node:util';
import { type Dialog, isUnread, openDialog } from '../../agents/activity.ts';
import type { Agent, DialogStep } from '../../agents/agent.ts';
import type { Channel } from '../../agents/channel.ts';
import { isRowNumber, matchingChoice } from '../../agents/screen-rules/matching-choice.ts';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { shortId } from '../../base/short-id.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { answerPrompt } from '../../workers/prompt/prompts.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { assessWorker } from '../assess/assess-worker.ts';
import { type Capture, captureAfterKey, captureUntil, captureUntilReported } from '../observe/capture.ts';
import { readReports } from '../observe/observe.ts';
import { meantDialog, noteAnswered, noteRefused, noteShown } from '../observe/open-dialog.ts';
import { noteCapture } from '../observe/screen-watch.ts';
import type { Watch } from '../observe/watch.ts';
import { goneId } from '../report/asks-report.ts';
import { answerOverProtocol, protocolDialog } from './answer-over-protocol.ts';

export interface Answered {
  readonly worker: string;
  readonly question: string;
  readonly answer: string;
  /** The next question, when one dialog led to another. */
  readonly next: string | null;
}

/** More steps than any list of choices needs. */
const MOST_STEPS = 40;

interface AnswerRequest {
  readonly worker: string;
  readonly choice: string;
  /** The id of the dialog that it is for. */
  readonly asked?: string | undefined;
  /** When the command was typed; without it, now. */
  readonly typedAt?: Instant | undefined;
}

/**
 * Answers an open dialog over the agent's protocol, else with keys. An answer that names no dialog is for the one that a person had been
 * shown last when the answer was typed, else for the one that was open when it arrived.
 */
export async function answerDialog(context: WorkContext, watch: Watch | undefined, request: AnswerRequest): Promise<Answered> {
  const meant = request.asked ?? (watch && meantDialog(watch, request.typedAt));
  return await context.locks.withLock(request.worker, async () => {
    const channel = watch?.protocol?.connection.channel;
    const overProtocol = watch !== undefined && protocolDialog(channel) !== undefined;
    const answered =
      overProtocol && channel !== undefined
        ? await answerOnChannel(context, watch, channel, request, meant)
        : await answerWithKeys(context, watch, request, meant);
    // A command prints the next question; the view shows it by itself.
    if (request.asked === undefined && answered.next !== null) noteShown(watch, context.clock.now());
    return answered;
  });
}

async function answerOnChannel(
  context: WorkContext,
  watch: Watch,
  channel: Channel,
  { worker, choice }: AnswerRequest,
  meant: string | undefined,
): Promise<Answered> {
  await observeAgain(context, watch);
  const dialog = protocolDialog(channel);
  if (dialog === undefined) throw noneOpen(worker);
  requireMeant(context, watch, meant, worker, dialog);
  requireChoiceThatExists(worker, choice, dialog.choices);
  const next = await answerOverProtocol(context, worker, channel, choice);
  if (next === 'no_such_choice') throw noSuchChoice(worker, choice, dialog.choices);
  if (next === 'not_taken') throw unclear(worker);
  noteAnswered(watch, context.clock.now());
  await observeAgain(context, watch);
  return goOn(context, worker, dialog, chosenLabel(choice, dialog.choices), next === 'none' ? undefined : next);
}

/** Presses one key at a time and captures the screen in between, so that llmc confirms only what it has captured. */
async function answerWithKeys(
  context: WorkContext,
  watch: Watch | undefined,
  request: AnswerRequest,
  meant: string | undefined,
): Promise<Answered> {
  const worker = context.store.worker(request.worker);
  const place = watch?.protocol?.window?.pane?.id ?? worker.session_id;
  const agent = agentOf(await context.config(), worker.agent);
  // A hook of the agent announces a dialog before the CLI draws it, and a busy machine makes the gap seconds long.
  const isDrawn = async (shown: Capture): Promise<boolean> => {
    if (dialogOn(shown) !== undefined || watch === undefined) return true;
    await observeAgain(context, watch, shown);
    return watch.dialog.open === undefined;
  };
  let captured = await captureUntil(context, agent, place, isDrawn);
  if (watch !== undefined) await observeAgain(context, watch, captured);
  // A menu is a dialog only if the agent opened it.
  const first = watch?.dialog.open === undefined ? openDialog(captured.reading.activity) : dialogOn(captured);
  if (first === undefined || watch === undefined) return answerAfterEnd(context, worker, request);
  requireMeant(context, watch, meant, worker.name, first);
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = agent.answerStep(captured.screen, request.choice);
    if (step === undefined) throw isUnread(first) ? unknownKeys(worker.name) : noSuchChoice(worker.name, request.choice, first.choices);
    const before = captured.screen;
    const { latest } = watch.reported;
    await press(context, worker, place, step);
    if (step.answers !== true) {
      captured = await captureAfterKey(context, agent, place, before);
      if (isSamePage(agent, first, captured)) continue;
    }
    captured = await captureAnswered(context, agent, watch, place, { page: first, latest });
    if (isSamePage(agent, first, captured) && watch.reported.latest === latest) throw unclear(worker.name);
    captured = await handIn(context, agent, worker, place, captured);
    noteAnswered(watch, context.clock.now());
    await observeAgain(context, watch, captured);
    const next = watch.dialog.open?.dialog ?? openDialog(captured.reading.activity);
    return goOn(context, worker.name, first, chosenLabel(request.choice, first.choices), next);
  }
  throw new LlmcError('AGENT_BLOCKED', `the dialog of ${worker.name} did not close`, { hint: `llmc attach ${worker.name}` });
}

/** No dialog is open: the question may be that of an agent that has ended. */
function answerAfterEnd(context: WorkContext, worker: Worker, { choice, asked }: AnswerRequest): Answered {
  const { attention, name } = worker;
  if (attention?.kind !== 'question' || attention.gone !== true) throw noneOpen(name);
  if (asked !== undefined && asked !== goneId(attention)) throw asksSomethingElse(name, attention.question, attention.choices);
  return answerAsPrompt(context, worker, attention, choice);
}

/** The dialog on the screen; also one that looks like a menu of a person. */
function dialogOn({ reading: { activity } }: Capture): Dialog | undefined {
  return openDialog(activity) ?? (activity.kind === 'unknown' ? activity.opened?.asks : undefined);
}

/** What the last pass knows may be a second old: reads the agent's reports and its screen once more before llmc decides which dialog is open. */
async function observeAgain(context: WorkContext, watch: Watch, captured?: Capture): Promise<void> {
  if (captured !== undefined) noteCapture(watch, captured, context.clock.now());
  await readReports(context, watch);
  assessWorker(watch, context.clock.now());
}

/**
 * Refuses an answer that was meant for another dialog: another person may have answered that one, and the same number would now approve
 * a command that the person has not seen. The refusal shows the open one, so the same command answers it the next time.
 */
function requireMeant({ clock }: WorkContext, watch: Watch, meant: string | undefined, worker: string, shown: Dialog): void {
  const { open } = watch.dialog;
  if (meant === undefined || meant === open?.id) return;
  noteRefused(watch, clock.now());
  const { question, choices } = shown;
  const command = shown.kind === 'awaiting_permission' ? shown.command : undefined;
  throw asksSomethingElse(worker, command === undefined ? question : `${question} ${visibleLine(command)}`, choices);
}

/**
 * The choice was meant for this page: on the page that submits the answers, its number would pick another row, such as "Cancel". A page
 * without a question, such as one that is cut, is told by its choices.
 */
function isSamePage(agent: Agent, first: Dialog, captured: Capture): boolean {
  const open = dialogOn(captured);
  if (open === undefined || agent.submitStep?.(captured.screen) !== undefined) return false;
  return open.kind === first.kind && open.question === first.question && haveSameRows(open.choices, first.choices);
}

/** Only the last row may differ: a text field has its content as its label, and an empty one is left out. */
function haveSameRows(one: readonly string[], other: readonly string[]): boolean {
  const common = Math.min(one.length, other.length, Math.max(one.length, other.length) - 1);
  return isDeepStrictEqual(one.slice(0, common), other.slice(0, common));
}

/**
 * Captures the screen once it no longer shows the answered page, because a spinner can turn beside a page that the key did not reach. A report that came
 * since shows that the agent went on, also if its next dialog has the same text.
 */
async function captureAnswered(
  context: WorkContext,
  agent: Agent,
  watch: Watch,
  place: string,
  answered: { readonly page: Dialog; readonly latest: Watch['reported']['latest'] },
): Promise<Capture> {
  const isGone = (captured: Capture) => !isSamePage(agent, answered.page, captured);
  return await captureUntilReported(context, agent, place, isGone, async () => {
    await readReports(context, watch);
    return watch.reported.latest !== answered.latest;
  });
}

/** Answers a question whose dialog ended with the agent that asked it. */
function answerAsPrompt(
  context: WorkContext,
  { name, expects }: Worker,
  { question, choices }: Extract<Attention, { kind: 'question' }>,
  choice: string,
): Answered {
  requireChoiceThatExists(name, choice, choices);
  const answer = chosenLabel(choice, choices);
  const text = answerPrompt(question, choices, answer, expects);
  const delivery = prepareDelivery(context, { worker: name, purpose: 'message', text, freshConversation: false });
  const why = `answered "${question}" with "${answer}", as a prompt (${shortId(delivery.id)}): its dialog ended with the agent`;
  commitMove(context, name, 'continued', { why, fields: { attention: null }, rows: delivery.write });
  return { worker: name, question, answer, next: null };
}

/** Over a protocol the choices have no numbers of their own: they count from 1. */
export function requireChoiceThatExists(name: string, choice: string, choices: readonly string[]): void {
  if (choices.length === 0 || !isRowNumber(choice) || choices.includes(choice.trim())) return;
  if (Number(choice) < 1 || Number(choice) > choices.length) throw noSuchChoice(name, choice, choices);
}

/** The label of the choice, as the person reads it; other answers stay as they are. */
export function chosenLabel(choice: string, choices: readonly string[]): string {
  const numbered = choices.map((label, index) => ({ label, number: index + 1 }));
  return choices[matchingChoice(numbered, choice) ?? -1] ?? choice;
}

function unclear(name: string): LlmcError {
  return new LlmcError('AGENT_BLOCKED', `the answer was sent once, and ${name} still shows the same dialog, or an equal one`, {
    hint: `Check it (llmc attach ${name}), then answer again if it is still open.`,
  });
}

/** Confirms a last page that only submits the answers: it does not ask the person anything. */
async function handIn(context: WorkContext, agent: Agent, worker: Worker, place: string, answered: Capture): Promise<Capture> {
  let captured = answered;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = agent.submitStep?.(captured.screen);
    if (step === undefined) break;
    const before = captured.screen;
    await press(context, worker, place, step);
    captured = await captureAfterKey(context, agent, place, before);
  }
  return captured;
}

async function press(context: WorkContext, worker: Worker, place: string, step: DialogStep): Promise<void> {
  context.store.commit({ worker: worker.name, kind: 'answer', summary: `${step.why} (${step.keys.join(' ')})` });
  if (step.text !== undefined) await context.terminal.paste(place, step.text);
  if (step.keys.length > 0) await context.terminal.keys(place, step.keys);
}

function noneOpen(name: string): LlmcError {
  return new LlmcError('INVALID_ARGUMENT', `${name} has no dialog open`, { hint: `llmc message ${name} "…"; details: llmc why ${name}` });
}

function asksSomethingElse(name: string, question: string, choices: readonly string[]): LlmcError {
  const offered = choices.length === 0 ? '' : ` [${choices.join(' / ')}]`;
  return new LlmcError('DIALOG_CHANGED', `${name} asks something else now: ${visibleLine(question)}${offered}`, {
    hint: `Nothing was answered. To answer this question, type the answer to it: llmc answer ${name} …`,
  });
}

function goOn(context: WorkContext, name: string, dialog: Dialog, answer: string, next: Dialog | undefined): Answered {
  const { store } = context;
  const why = `answered "${dialog.question}" with "${answer}"`;
  if (store.worker(name).status === 'needs_input' && next === undefined)
    commitMove(context, name, 'continued', { why, fields: { attention: null } });
  else store.commit({ worker: name, kind: 'answer', summary: why });
  return { worker: name, question: dialog.question, answer, next: next?.question ?? null };
}

function unknownKeys(name: string): LlmcError {
  return new LlmcError('AGENT_BLOCKED', `llmc does not know the keys for the dialog of ${name}`, { hint: `llmc attach ${name}` });
}

/** Without numbers: a list that does not fit the screen begins with a later one. */
function noSuchChoice(name: string, choice: string, choices: readonly string[]): LlmcError {
  return new LlmcError('INVALID_ARGUMENT', `"${choice}" is not a choice of ${name}`, {
    hint: `Use the text of a choice, or its number on the screen: ${choices.join(' / ')}`,
  });
}
