import { isDeepStrictEqual } from 'node:util';
import { type Dialog, isLogin, isUnread, openDialog } from '../../agents/activity.ts';
import type { Agent, DialogStep } from '../../agents/agent.ts';
import type { Channel } from '../../agents/channel.ts';
import { areRowNumbers, matchingChoice } from '../../agents/screen-rules/matching-choice.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { shortId } from '../../base/short-id.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { answerPrompt } from '../../workers/prompt/prompts.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { assessWorker } from '../assess/assess-worker.ts';
import { type Capture, captureAfterKey, captureUntil, captureUntilReported } from '../observe/capture.ts';
import { readReports } from '../observe/observe.ts';
import { noteAnswered } from '../observe/open-dialog.ts';
import { hasGoneOn, type Reported } from '../observe/reported.ts';
import { noteCapture } from '../observe/screen-watch.ts';
import type { Watch } from '../observe/watch.ts';
import { goneId } from '../report/asks-report.ts';
import { answerOverProtocol, protocolDialog } from './answer-over-protocol.ts';

export interface Answered {
  readonly worker: string;
  readonly question: string;
  readonly answer: string;
  /** False for a page of a form whose agent gets all answers at once, after the last page. */
  readonly sent: boolean;
  /** The next question, when one dialog led to another. */
  readonly next: string | null;
}

/** More steps than any list of choices needs. */
const MOST_STEPS = 40;

interface AnswerRequest {
  readonly worker: string;
  readonly choice: string;
  /** The id of the dialog that it is for; undefined if the person was shown none. */
  readonly asked: string | undefined;
  /** The reply shows the dialog with this id to the person. */
  readonly show: (id: string) => void;
}

/** Answers the dialog that the person was shown, over the agent's protocol, else with keys. Refuses an answer to any other. */
export async function answerDialog(context: WorkContext, watch: Watch | undefined, request: AnswerRequest): Promise<Answered> {
  return await context.locks.withLock(request.worker, async () => {
    const channel = watch?.protocol?.connection.channel;
    const overProtocol = watch !== undefined && protocolDialog(channel) !== undefined;
    const answered =
      overProtocol && channel !== undefined
        ? await answerOnChannel(context, watch, channel, request)
        : await answerWithKeys(context, watch, request);
    const next = watch?.dialog.open;
    if (next !== undefined && answered.next === askedIn(next.dialog)) request.show(next.id);
    return answered;
  });
}

async function answerOnChannel(context: WorkContext, watch: Watch, channel: Channel, request: AnswerRequest): Promise<Answered> {
  const { worker, choice } = request;
  await observeAgain(context, watch);
  const dialog = protocolDialog(channel);
  if (dialog === undefined) throw noneOpen(worker);
  requireMeant(watch, request, dialog);
  requireChoiceThatExists(worker, choice, dialog.choices);
  const next = await answerOverProtocol(context, worker, channel, choice);
  if (next === 'no_such_choice') throw noSuchChoice(worker, choice, dialog.choices);
  if (next === 'not_taken') throw unclear(worker);
  if (next === 'ended') throw unconfirmed(worker);
  noteAnswered(watch);
  await observeAgain(context, watch);
  const answer = chosenLabel(choice, dialog.choices);
  return { ...goOn(context, worker, dialog, answer, next.dialog), sent: next.sent };
}

/** Presses one key at a time and captures the screen in between, so that llmc confirms only what it has captured. */
async function answerWithKeys(context: WorkContext, watch: Watch | undefined, request: AnswerRequest): Promise<Answered> {
  const worker = context.store.worker(request.worker);
  const place = watch?.protocol?.window?.pane?.id ?? worker.session_id;
  const agent = loadAgent(await context.config(), worker.agent);
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
  if (isLogin(first)) throw notLoggedIn(worker.name);
  requireMeant(watch, request, first);
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = agent.answerStep(captured.screen, request.choice);
    if (step === undefined) throw isUnread(first) ? unknownKeys(worker.name) : noSuchChoice(worker.name, request.choice, first.choices);
    const before = captured.screen;
    const { reported } = watch;
    await press(context, worker, place, step);
    if (step.answers !== true) {
      captured = await captureAfterKey(context, agent, place, before);
      if (isSamePage(agent, first, captured)) continue;
    }
    captured = await captureAnswered(context, agent, watch, place, { page: first, reported });
    if (isSamePage(agent, first, captured) && !hasGoneOn(reported, watch.reported, first)) throw unclear(worker.name);
    captured = await handIn(context, agent, worker, place, captured);
    noteAnswered(watch);
    await observeAgain(context, watch, captured);
    const next = watch.dialog.open?.dialog ?? openDialog(captured.reading.activity);
    return goOn(context, worker.name, first, chosenLabel(request.choice, first.choices), next);
  }
  throw new LlmcError('AGENT_BLOCKED', `the dialog of ${worker.name} did not close`, { hint: `llmc attach ${worker.name}` });
}

/** No dialog is open: the question may be that of an agent that has ended. */
function answerAfterEnd(context: WorkContext, worker: Worker, { choice, asked, show }: AnswerRequest): Answered {
  const { attention, name } = worker;
  if (attention?.kind !== 'question' || attention.gone !== true) throw noneOpen(name);
  const id = goneId(attention);
  if (asked !== id) {
    show(id);
    throw asksSomethingElse(name, { id, asked, question: attention.question, choices: attention.choices });
  }
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
 * Refuses an answer that was meant for another dialog, or whose person was shown none: another person may have answered that one, and the
 * same number would now approve a command that the person has not seen. The refusal shows the open one, so the same command answers it
 * the next time.
 */
function requireMeant({ dialog: { open } }: Watch, { worker, asked, show }: AnswerRequest, shown: Dialog): void {
  if (open !== undefined && asked === open.id) return;
  const dialog = open?.dialog ?? shown;
  if (open !== undefined) show(open.id);
  throw asksSomethingElse(worker, { id: open?.id, asked, question: askedIn(dialog), choices: dialog.choices });
}

/** The question in words, with the command that a permission is for. */
function askedIn(dialog: Dialog): string {
  const command = dialog.kind === 'awaiting_permission' ? dialog.command : undefined;
  return command === undefined ? dialog.question : `${dialog.question} ${command}`;
}

/**
 * The choice was meant for this page: on the page that submits the answers, its number would pick another row, such as "Cancel". A page
 * without a question, such as one that is cut, is told by its choices.
 */
function isSamePage(agent: Agent, first: Dialog, captured: Capture): boolean {
  const open = dialogOn(captured);
  if (open === undefined || agent.submitStep?.(captured.screen) !== undefined) return false;
  return isSameQuestion(open, first) && haveSameRows(open.choices, first.choices);
}

/** Claude Code and Codex ask for every command in the same words: only the tool and the command distinguish two permissions. */
export function isSameQuestion(one: Dialog, other: Dialog): boolean {
  if (one.kind !== other.kind || one.question !== other.question) return false;
  if (one.kind !== 'awaiting_permission' || other.kind !== 'awaiting_permission') return true;
  return one.tool === other.tool && one.command === other.command;
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
  answered: { readonly page: Dialog; readonly reported: Reported },
): Promise<Capture> {
  const isGone = (captured: Capture) => !isSamePage(agent, answered.page, captured);
  return await captureUntilReported(context, agent, place, isGone, async () => {
    await readReports(context, watch);
    return hasGoneOn(answered.reported, watch.reported, answered.page);
  });
}

/** Answers a question whose dialog ended with the agent that asked it. */
function answerAsPrompt(
  context: WorkContext,
  { name, expects }: Worker,
  { question, choices }: Extract<Attention, { kind: 'question' }>,
  choice: string,
): Answered {
  // The question of an agent that has ended does not say whether one row alone counts.
  requireChoiceThatExists(name, choice, choices, true);
  const answer = chosenLabel(choice, choices);
  const text = answerPrompt(question, choices, answer, expects);
  const delivery = prepareDelivery(context, { worker: name, purpose: 'message', text, freshConversation: false });
  const why = `answered "${question}" with "${answer}", as a prompt (${shortId(delivery.id)}): its dialog ended with the agent`;
  commitMove(context, name, 'continued', { why, fields: { attention: null }, rows: delivery.write });
  return { worker: name, question, answer, sent: true, next: null };
}

/** Over a protocol the choices have no numbers of their own: they count from 1. */
export function requireChoiceThatExists(name: string, choice: string, choices: readonly string[], several = false): void {
  if (choices.length === 0 || !areRowNumbers(choice) || choices.includes(choice.trim())) return;
  const rows = choice.split(',').map(Number);
  if ((rows.length > 1 && !several) || rows.some((row) => row < 1 || row > choices.length)) throw noSuchChoice(name, choice, choices);
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

function unconfirmed(name: string): LlmcError {
  return new LlmcError('AGENT_BLOCKED', `the connection to ${name} ended before it confirmed the answer`, {
    hint: `Check it (llmc why ${name}), then answer again if it still asks.`,
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

interface Unanswered {
  /** Of the open dialog. */
  readonly id: string | undefined;
  /** The one that the answer was for. */
  readonly asked: string | undefined;
  readonly question: string;
  readonly choices: readonly string[];
}

function asksSomethingElse(name: string, { id, asked, question, choices }: Unanswered): LlmcError {
  const offered = choices.length === 0 ? '' : ` [${choices.join(' / ')}]`;
  const what = asked === undefined ? `nothing showed you yet what ${name} asks` : `${name} asks something else now`;
  const answer = commandLine('llmc', 'answer', name);
  const named = id === undefined ? `${answer} …` : `${answer} … --to ${id}, or in this terminal: ${answer} …`;
  return new LlmcError('DIALOG_CHANGED', `${what}: ${visibleLine(`${question}${offered}`)}`, {
    hint: `Nothing was answered. To answer this question: ${named}`,
  });
}

function goOn(context: WorkContext, name: string, dialog: Dialog, answer: string, next: Dialog | undefined): Answered {
  const { store } = context;
  const why = `answered "${dialog.question}" with "${answer}"`;
  if (store.worker(name).status === 'needs_input' && next === undefined)
    commitMove(context, name, 'continued', { why, fields: { attention: null } });
  else store.commit({ worker: name, kind: 'answer', summary: why });
  return { worker: name, question: dialog.question, answer, sent: true, next: next === undefined ? null : askedIn(next) };
}

function notLoggedIn(name: string): LlmcError {
  return new LlmcError('AGENT_BLOCKED', `${name} is not logged in, and an answer cannot do that`, { hint: `llmc attach ${name}` });
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
