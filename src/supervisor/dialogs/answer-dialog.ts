import { type Dialog, isUnread, openDialog } from '../../agents/activity.ts';
import type { Agent, DialogStep } from '../../agents/agent.ts';
import { isRowNumber, matchingChoice } from '../../agents/screen-rules/matching-choice.ts';
import { LlmcError } from '../../base/error.ts';
import { shortId } from '../../base/short-id.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import type { Screen } from '../../terminal/screen.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { answerPrompt } from '../../workers/prompt/prompts.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { type Capture, captureAfterKey, captureDialog } from '../observe/capture.ts';
import type { Watch } from '../observe/watch.ts';
import { answerOverProtocol, protocolDialog } from './answer-over-protocol.ts';
import { type AskedOf, requireAsked } from './require-asked.ts';

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
  /** Answers only this question. */
  readonly asked?: AskedOf | undefined;
}

/** Answers an open dialog over the agent's protocol, else with keys. */
export async function answerDialog(context: WorkContext, watch: Watch | undefined, request: AnswerRequest): Promise<Answered> {
  return await context.locks.withLock(request.worker, async () => {
    const channel = watch?.protocol?.connection.channel;
    const dialog = protocolDialog(channel);
    if (channel === undefined || dialog === undefined) return await answerWithKeys(context, watch, request);
    requireAsked(request.worker, request.asked, dialog);
    requireChoiceThatExists(request.worker, request.choice, dialog.choices);
    const next = await answerOverProtocol(context, request.worker, channel, request.choice);
    if (next === 'no_such_choice') throw noSuchChoice(request.worker, request.choice, dialog.choices);
    if (next === 'not_taken') throw unclear(request.worker);
    return goOn(context, request.worker, dialog, chosenLabel(request.choice, dialog.choices), next === 'none' ? undefined : next);
  });
}

/** Presses one key at a time and captures the screen in between, so that llmc confirms only what it has captured. */
async function answerWithKeys(context: WorkContext, watch: Watch | undefined, request: AnswerRequest): Promise<Answered> {
  const worker = context.store.worker(request.worker);
  const place = watch?.protocol?.window?.pane?.id ?? worker.session_id;
  const agent = agentOf(await context.config(), worker.agent);
  let captured = await captureDialog(context, agent, place, () => openDialog(watch?.assessment.activity) !== undefined);
  const first = openDialog(captured.reading.activity);
  if (first === undefined) {
    const asked = worker.attention;
    if (asked?.kind === 'question' && asked.gone === true) {
      requireAsked(worker.name, request.asked, asked);
      return answerAsPrompt(context, worker, asked, request.choice);
    }
    throw new LlmcError('INVALID_ARGUMENT', `${worker.name} has no dialog open`, {
      hint: `llmc message ${worker.name} "…"; details: llmc why ${worker.name}`,
    });
  }
  requireAsked(worker.name, request.asked, first, watch?.assessment);
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = agent.answerStep(captured.screen, request.choice);
    if (step === undefined) throw isUnread(first) ? unknownKeys(worker.name) : noSuchChoice(worker.name, request.choice, first.choices);
    const before = captured.screen;
    captured = await press(context, agent, worker, place, before, step);
    if (step.answers !== true && isSamePage(agent, first, captured)) continue;
    // Pressed once only: the next dialog may read the same and mean another command.
    if (sameLines(captured.screen, before)) throw unclear(worker.name);
    captured = await handIn(context, agent, worker, place, captured);
    return goOn(context, worker.name, first, chosenLabel(request.choice, first.choices), openDialog(captured.reading.activity));
  }
  throw new LlmcError('AGENT_BLOCKED', `the dialog of ${worker.name} did not close`, { hint: `llmc attach ${worker.name}` });
}

/** The choice was meant for this page: on the page that submits the answers, its number would pick another row, such as "Cancel". */
function isSamePage(agent: Agent, first: Dialog, { screen, reading }: Capture): boolean {
  const open = openDialog(reading.activity);
  return open !== undefined && open.question === first.question && agent.submitStep?.(screen) === undefined;
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
    captured = await press(context, agent, worker, place, captured.screen, step);
  }
  return captured;
}

async function press(
  context: WorkContext,
  agent: Agent,
  worker: Worker,
  place: string,
  before: Screen,
  step: DialogStep,
): Promise<Capture> {
  context.store.commit({ worker: worker.name, kind: 'answer', summary: `${step.why} (${step.keys.join(' ')})` });
  if (step.text !== undefined) await context.terminal.paste(place, step.text);
  if (step.keys.length > 0) await context.terminal.keys(place, step.keys);
  return await captureAfterKey(context, agent, place, before);
}

function sameLines(one: Screen, other: Screen): boolean {
  return one.lines.join('\n') === other.lines.join('\n');
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
