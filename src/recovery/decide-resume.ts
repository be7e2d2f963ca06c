import type { Instant } from '../base/ports.ts';
import type { LimitHit } from './usage-limit.ts';

export interface LimitedView {
  /** The worker is in the middle of a task. */
  readonly hasTask: boolean;
  readonly hit: LimitHit | undefined;
  /** The agent was sent a prompt since, or a prompt to continue is queued. */
  readonly answered: boolean;
  /** When the worker may be sent a prompt; undefined when its account is not parked. */
  readonly goesOnAt: Instant | undefined;
  /** A fresh capture shows the agent at its prompt, and no prompt is on its way there. */
  readonly stands: boolean;
}

export interface ResumeStep {
  /** `settled`: that limit is over for this worker, whatever its agent reported last. */
  readonly kind: 'nothing' | 'wait' | 'go_on' | 'settled';
  readonly why: string;
}

/** After this time the prompt is queued all the same: what holds it there, such as an open menu, is told to a person. */
const PROMPT_PATIENCE_MS = 60_000;

/** Decides whether a worker that a usage limit stopped is sent a prompt to continue. This happens once: the prompt also settles the limit. */
export function decideResume(view: LimitedView, now: Instant): ResumeStep {
  if (view.hit === undefined) return { kind: 'nothing', why: 'no limit stopped the worker' };
  if (view.answered) return { kind: 'settled', why: 'the agent was sent a prompt since' };
  if (view.goesOnAt !== undefined && now < view.goesOnAt) return { kind: 'wait', why: 'its account waits for the usage limit' };
  if (!view.hasTask) return { kind: 'settled', why: 'the worker has no task to continue' };
  const waitedMs = now - (view.goesOnAt ?? view.hit.at);
  // Negative after the clock was set back: how long the agent has not been at its prompt is unknown.
  if (!view.stands && waitedMs >= 0 && waitedMs < PROMPT_PATIENCE_MS)
    return { kind: 'wait', why: 'no fresh capture shows the agent at its prompt' };
  return { kind: 'go_on', why: 'the usage limit that stopped the worker is over' };
}
