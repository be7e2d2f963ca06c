import { QUESTION_OPTIONS } from '../../config/question-options.ts';
import { agentsFor } from '../agents-file/agents-for.ts';
import type { Escalation, EscalationAnswer, EscalationType, LostAgents } from '../model/escalation.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { isNeededLater, listItems } from '../model/stage-at.ts';
import { deadlineFor } from './questions/deadlines.ts';
import { roleAt } from './seat.ts';
import type { Turn } from './turn.ts';

export interface Question {
  readonly type: EscalationType;
  readonly step: string;
  readonly text: string;
  /** Fewer than the type allows. */
  readonly options?: readonly string[];
  /** Of a review in its last round: whether there can be another one. */
  readonly mayExtend?: boolean;
  readonly target?: string;
  readonly reason?: string;
  readonly lost?: LostAgents;
  readonly terminal?: string;
}

/** The step waits until a person decides. `working`: its agent goes on meanwhile. */
export function openEscalation(turn: Turn, question: Question, working?: Extract<Step['state'], { kind: 'working' }>): void {
  const number = addEscalation(turn, question);
  const { action, deadline } = working ?? {};
  const meanwhile = action === undefined ? {} : { working: { action, deadline: deadline ?? { at: turn.at, leftMs: null } } };
  turn.changeStep(question.step, { state: { kind: 'asking', escalation: number, ...meanwhile } });
}

/** For a question beside the work of a step: the agent itself waits. */
export function addEscalation(turn: Turn, question: Question): number {
  const { type, step, text, target, reason, lost, terminal } = question;
  const { options, recommended } = offeredBy(turn, question);
  const number = 1 + Math.max(0, ...turn.run.escalations.map((one) => one.number));
  const escalation: Escalation = {
    number,
    type,
    step,
    text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text,
    options,
    recommended,
    at: turn.at,
    target: target ?? null,
    ...(reason !== undefined && { reason }),
    deadline: deadlineFor(turn, type, step, options),
    answer: null,
    ...(lost !== undefined && { lost }),
    ...(terminal !== undefined && { terminal }),
  };
  turn.change({ escalations: [...worthKeeping(turn.run), escalation] });
  turn.note(step, `asks: ${text.split('\n', 1)[0]}`);
  return number;
}

function offeredBy(turn: Turn, { type, step, options: own = [], mayExtend }: Question): Pick<Escalation, 'options' | 'recommended'> {
  const possible = QUESTION_OPTIONS[type].filter((option) => isPossible(turn, step, option));
  const all = [...(mayExtend === true ? ['extend'] : []), ...possible];
  const named = own.filter((option) => (option !== 'extend' || mayExtend !== false) && isPossible(turn, step, option));
  const offered = named.length === 0 ? all : named;
  const isSafe = (option: string) => !leavesOut(option) || !isNeededLater(turn.run, step);
  const recommended = offered.find(isSafe) ?? offered[0] ?? 'abort';
  // The order of a workflow file stays.
  return { options: named.length === 0 ? [recommended, ...all.filter((option) => option !== recommended)] : named, recommended };
}

const KNOWN: readonly string[] = Object.values(QUESTION_OPTIONS).flat();

/** A word of the workflow file is a mark on a stage that is left out. */
function leavesOut(option: string): boolean {
  return option === 'skip' || !KNOWN.includes(option);
}

/** Nothing can be accepted that is not there, and only a fallback that the role names can take over, installed or not. */
function isPossible(turn: Turn, address: string, option: string): boolean {
  if (option === 'accept') return turn.step(address).result !== null || listItems(turn.run, address).length > 0;
  if (option !== 'fallback') return true;
  const role = roleAt(turn.stage(address));
  return role !== undefined && agentsFor(turn.run, role, address).fallback !== undefined;
}

/** An agent may ask a book. */
const LONGEST_TEXT = 4_000;
/** Every decision stores the questions of its run. What was answered before stays in the history of the run. */
const MOST_ANSWERED = 100;

/** The open questions and the newest answered ones. What was decided by default counts until its step has ended: it is not done twice. */
function worthKeeping({ escalations, steps }: Run): readonly Escalation[] {
  const answered = escalations.filter(({ answer }) => answer !== null).length;
  if (answered <= MOST_ANSWERED) return escalations;
  let surplus = answered - MOST_ANSWERED;
  return escalations.filter(({ answer, step }) => {
    const own = step === null ? undefined : steps[step];
    const counts = answer === null || (answer.by === 'default' && own !== undefined && !isOver(own));
    if (counts || surplus === 0) return true;
    surplus -= 1;
    return false;
  });
}

/** A question about a step that nobody has answered. */
export function openQuestion({ escalations }: Run, step: string, type: EscalationType): Escalation | undefined {
  return escalations.find((one) => one.step === step && one.type === type && one.answer === null);
}

export function closeEscalation(turn: Turn, number: number, option: string, text: string | null, by: EscalationAnswer['by'] = 'run'): void {
  const answer = { option, text, at: turn.at, by };
  turn.change({ escalations: turn.run.escalations.map((one) => (one.number === number ? { ...one, answer } : one)) });
  turn.note(
    turn.run.escalations.find((one) => one.number === number)?.step ?? null,
    by === 'default' ? `nobody answered #${number} in time: ${option}` : `decided: ${option}`,
  );
}

/** The questions about a step that need no answer any more. */
export function closeQuestions(turn: Turn, address: string, option: string): void {
  for (const { number, step, answer } of turn.run.escalations)
    if (step === address && answer === null) closeEscalation(turn, number, option, null);
}
