import type { Instant } from '../../../base/ports.ts';
import type { AnswerDeadline, Escalation, EscalationType } from '../../model/escalation.ts';
import type { DefaultAnswer } from '../../model/policy-parts.ts';
import { isNeededLater } from '../../model/stage-at.ts';
import { hasNoAgent } from '../seat.ts';
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
  // More time helps once: the next question about the breaker takes the answer of its type.
  const found = [own, byType, ...(type === 'timeout' ? afterMoreTime(turn, step, byType) : [])].find(
    (one) =>
      one !== undefined &&
      options.includes(one.option) &&
      one.afterMs > 0 &&
      !(one.option === 'extend' && wasTaken(turn, step, type, 'extend')),
  );
  if (found === undefined) return null;
  const { option, afterMs } = found;
  return { option, at: turn.at + afterMs, warnAt: turn.at + Math.floor(afterMs / 2), warned: false };
}

/**
 * More time helps once; after that, more of it would only hide that the agent hangs. It is then started again, also once. Work that a later
 * stage needs is not left out without a person.
 */
function afterMoreTime(turn: Turn, step: string, byType: DefaultAnswer | undefined): readonly DefaultAnswer[] {
  if (byType?.option !== 'extend' || hasNoAgent(turn.stage(step)) || !wasTaken(turn, step, 'timeout', 'extend')) return [];
  if (!wasTaken(turn, step, 'timeout', 'restart')) return [{ ...byType, option: 'restart' }];
  return isNeededLater(turn.run, step) ? [] : [{ ...byType, option: 'skip' }];
}

/** Whether nobody answered such a question about the step, so that it took this answer by itself. */
function wasTaken(turn: Turn, step: string, type: EscalationType, option: string): boolean {
  return turn.run.escalations.some(
    (one) => one.step === step && one.type === type && one.answer?.by === 'default' && one.answer.option === option,
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
