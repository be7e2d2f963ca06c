import type { Instant } from '../../../base/ports.ts';
import type { AnswerDeadline, Escalation, EscalationType } from '../../model/escalation.ts';
import { agentAtWork } from '../time/nudge.ts';
import type { Turn } from '../turn.ts';

/** Questions that never answer themselves: a person has reserved the decision, or a wrong one could not be taken back. */
export const NEVER_ALONE: readonly EscalationType[] = ['approval', 'compensation', 'quality_floor', 'crash', 'blocked'];

/** The breaker of the workflow file over the policy of the type. An answer that the question does not offer is none. */
export function deadlineFor(turn: Turn, type: EscalationType, step: string, options: readonly string[]): AnswerDeadline | null {
  const stage = turn.stage(step);
  const isReserved = stage.kind === 'review' && stage.by.kind === 'person';
  if (NEVER_ALONE.includes(type) || isReserved) return null;
  const { circuitBreaker } = stage;
  const own =
    type === 'circuit_breaker' && circuitBreaker?.default !== undefined && circuitBreaker.afterMs !== undefined
      ? { option: circuitBreaker.default, afterMs: circuitBreaker.afterMs }
      : undefined;
  const byType = turn.policy.answers?.[type];
  // More time helps once: the next question about the breaker takes the answer of its type. An agent at work is never ended for its time.
  const mayExtend = !wasExtended(turn, step, type) || (type === 'timeout' && agentAtWork(turn, step) !== undefined);
  const found = [own, byType].find(
    (one) => one !== undefined && options.includes(one.option) && one.afterMs > 0 && (one.option !== 'extend' || mayExtend),
  );
  if (found === undefined) return null;
  const { option, afterMs } = found;
  return { option, at: turn.at + afterMs, warnAt: turn.at + Math.floor(afterMs / 2), warned: false };
}

/** Whether nobody answered such a question about the step, so that more time was given by itself. */
function wasExtended(turn: Turn, step: string, type: EscalationType): boolean {
  return turn.run.escalations.some(
    (one) => one.step === step && one.type === type && one.answer?.by === 'default' && one.answer.option === 'extend',
  );
}

/** The questions whose time has come, the oldest first. */
export function unanswered({ run, at }: Pick<Turn, 'run' | 'at'>): readonly Escalation[] {
  return run.escalations.filter(({ answer, deadline }) => answer === null && deadline !== null && at >= deadline.at);
}

/** Half-way, the run says once that it will go on by itself. */
export function warnHalfWay(turn: Turn): void {
  const due = turn.run.escalations.filter(
    ({ answer, deadline }) =>
      answer === null && deadline !== null && !deadline.warned && turn.at >= deadline.warnAt && turn.at < deadline.at,
  );
  if (due.length === 0) return;
  const numbers = new Set(due.map(({ number }) => number));
  const warned = ({ deadline, ...rest }: Escalation): Escalation => ({ ...rest, deadline: deadline && { ...deadline, warned: true } });
  turn.change({ escalations: turn.run.escalations.map((one) => (numbers.has(one.number) ? warned(one) : one)) });
  for (const { number, step, deadline } of due) turn.note(step, `#${number} has no answer yet: ${deadline?.option} by itself soon`);
}

/** When a question warns or answers itself. */
export function answerTimes({ escalations }: Pick<Turn['run'], 'escalations'>): readonly Instant[] {
  return escalations.flatMap(({ answer, deadline }) =>
    answer !== null || deadline === null ? [] : deadline.warned ? [deadline.at] : [deadline.warnAt, deadline.at],
  );
}

/** Time without llmc does not count: nobody could see the question. */
export function moveAnswerDeadlines(turn: Turn, ms: number): void {
  if (!turn.run.escalations.some(({ answer, deadline }) => answer === null && deadline !== null)) return;
  const moved = (one: Escalation): Escalation =>
    one.answer !== null || one.deadline === null
      ? one
      : { ...one, deadline: { ...one.deadline, at: one.deadline.at + ms, warnAt: one.deadline.warnAt + ms } };
  turn.change({ escalations: turn.run.escalations.map(moved) });
}
