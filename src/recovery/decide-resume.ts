import type { Instant } from '../base/ports.ts';
import type { LimitHit } from './usage-limit.ts';

export interface LimitedView {
  /** In the middle of a task somebody gave it. */
  readonly hasTask: boolean;
  readonly hit: LimitHit | undefined;
  /** Something was sent to the agent since, or is queued to make it go on. */
  readonly answered: boolean;
  /** When the worker may be sent something; undefined when its account does not rest. */
  readonly goesOnAt: Instant | undefined;
  /** A fresh look shows it standing at its prompt, and nothing is on its way there. */
  readonly stands: boolean;
}

export interface ResumeStep {
  /** `settled`: that limit is behind it, whatever it said last. */
  readonly kind: 'nothing' | 'wait' | 'go_on' | 'settled';
  readonly why: string;
}

/** Whether a worker that was stopped by a usage limit is told to go on. Once: what answers the limit also settles it. */
export function decideResume(view: LimitedView, now: Instant): ResumeStep {
  if (view.hit === undefined) return { kind: 'nothing', why: 'no limit stopped it' };
  if (view.answered) return { kind: 'settled', why: 'it was sent something since' };
  if (view.goesOnAt !== undefined && now < view.goesOnAt) return { kind: 'wait', why: 'its account rests' };
  if (!view.hasTask) return { kind: 'settled', why: 'nobody gave it a task to go on with' };
  if (!view.stands) return { kind: 'wait', why: 'it is not seen standing at its prompt' };
  return { kind: 'go_on', why: 'the usage limit that stopped it is over' };
}
