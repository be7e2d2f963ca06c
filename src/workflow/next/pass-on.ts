import { errorRecord } from '../../recovery/error-record.ts';
import type { What } from '../model/event.ts';
import type { Step } from '../model/run.ts';
import { nameSeat, roleAt } from './seat.ts';
import type { Turn } from './turn.ts';

/** An agent that sends messages without end must not fill the run, whose every decision stores them. */
const MOST_LETTERS = 100;
/** Who tells an agent what became of its message. */
const LLMC = 'llmc';

/** The messages that waited for tasks which never came. */
export function lettersLeft(turn: Turn): void {
  for (const to of Object.keys(turn.run.plan.roles)) {
    const { letters } = turn.role(to);
    for (const letter of letters) if (letter.from !== LLMC) deadLetter(turn, { ...letter, to }, `no further task of ${to} came`);
    if (letters.length > 0) turn.changeRole(to, { letters: [] });
  }
}

/** Passes a message on to a role, in the order of arrival. A message that no role can get is a dead letter. */
export function passOn(turn: Turn, message: Extract<What, { kind: 'message' }>): void {
  const { from, to, text } = message;
  if (!Object.hasOwn(turn.run.plan.roles, to)) return deadLetter(turn, message, `there is no role "${to}"`);
  const step = Object.values(turn.run.steps).find((one) => isAtWork(one) && roleAt(turn.stage(one.address)) === to);
  if (step === undefined) return keepLetter(turn, message);
  turn.perform(step.address, { kind: 'deliver', seat: nameSeat(turn, step.address), to, from, text });
  turn.note(step.address, `message from ${from} to ${to}`);
}

/** The next task of the role brings it along. */
export function keepLetter(turn: Turn, message: Undelivered): void {
  const { from, to, text } = message;
  const { letters } = turn.role(to);
  if (letters.length >= MOST_LETTERS) return deadLetter(turn, message, `${MOST_LETTERS} messages wait for the next task of ${to}`);
  turn.changeRole(to, { letters: [...letters, { from, text }] });
  turn.note(null, `message from ${from} to ${to}, for its next task`);
}

/** A message that cannot be read is a dead letter too. */
export function unreadable(turn: Turn, { from, problem }: Extract<What, { kind: 'unreadable' }>): void {
  record(turn, from, `a message from ${from} was not delivered: ${problem}`, null);
  tell(turn, from, `A message that you left was not delivered: ${problem}.`);
}

/** The turn of its agent is not over. Between its end and the next one, a message would begin a turn that nobody waits for. */
function isAtWork({ state, seat }: Step): boolean {
  if (seat === null) return false;
  if (state.kind === 'asking') return state.working !== undefined;
  return state.kind === 'working' || (state.kind === 'acting' && (state.doing === 'attempt' || state.doing === 'follow_up'));
}

type Undelivered = Pick<Extract<What, { kind: 'message' }>, 'from' | 'to' | 'text' | 'byFile'>;

/** A message that nobody gets stays in the error log. */
export function deadLetter(turn: Turn, { from, to, text, byFile }: Undelivered, why: string): void {
  record(turn, to, `a message from ${from} was not delivered: ${why}`, text);
  const roles = Object.keys(turn.run.plan.roles).join(', ');
  if (byFile === true) tell(turn, from, `Your message to "${to}" was not delivered: ${why}. The roles are: ${roles}.`);
}

function record(turn: Turn, role: string, message: string, details: string | null): void {
  const id = `${turn.run.id}.${turn.number()}`;
  turn.record({
    kind: 'error',
    error: errorRecord({ id, code: 'ROUTING_FAILED', message, details, component: 'messages', role, at: turn.at }),
  });
  turn.note(null, message);
}

/** Tells an agent what became of its message, with its next task. */
function tell(turn: Turn, role: string, text: string): void {
  const { letters } = turn.role(role);
  if (letters.length < MOST_LETTERS) turn.changeRole(role, { letters: [...letters, { from: LLMC, text }] });
}
