import { clockTime } from '../../base/clock-time.ts';
import type { Instant } from '../../base/ports.ts';
import type { FailedTurn } from '../../recovery/decide-failed-turn.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { reasonText } from '../prompt/delivery-reason-text.ts';
import { FAILURE_WORDS } from './failure-words.ts';

/** Why a worker waits without needing a person. */
export type Waiting = DeliveryReason | { readonly kind: 'failed_turn'; readonly failed: FailedTurn };

export function waitingText(waiting: Waiting, now: Instant): string {
  return waiting.kind === 'failed_turn' ? failedTurnText(waiting.failed, now) : reasonText(waiting, now);
}

function failedTurnText({ error, attempt, attempts, until_ms }: FailedTurn, now: Instant): string {
  const when = until_ms === null ? 'was told to continue' : `continues at ${clockTime(until_ms, now)}`;
  return `failed turn (${FAILURE_WORDS[error]}), ${when}, attempt ${attempt} of ${attempts}`;
}
