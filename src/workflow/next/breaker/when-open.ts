import { formatSpan } from '../../../base/duration.ts';
import { breakerOptions } from '../../../config/question-options.ts';
import { CLOSED } from '../../../recovery/decide-breaker.ts';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { Reaction } from '../../definition/plan.ts';
import { splitAddress } from '../../model/address.ts';
import type { RunStage } from '../../model/stage-at.ts';
import { endWith } from '../end-run.ts';
import { openEscalation } from '../escalation.ts';
import { skip } from '../skip.ts';
import type { Turn } from '../turn.ts';
import { changeBreaker, findBreaker } from './breaker.ts';

/** What follows a failure while the breaker is open, in the place of another try. */
export function openReaction(turn: Turn, stage: RunStage): Reaction {
  const { whenOpen = 'ask' } = findBreaker(turn.run, stage) ?? {};
  switch (whenOpen) {
    case 'partial':
      return { kind: 'skip', mark: 'partial' };
    case 'skip':
      return { kind: 'skip', mark: undefined };
    case 'abort':
      return { kind: 'abort' };
    case 'ask':
    case 'manual':
      return { kind: 'ask', options: breakerOptions(stage.kind === 'review') };
  }
}

/** A step that would begin finds its breaker open. */
export function refuse(turn: Turn, stage: RunStage): void {
  const { id } = stage;
  const { whenOpen = 'ask', state } = findBreaker(turn.run, stage) ?? {};
  const why = `its circuit breaker is open after ${state?.failures ?? 0} failures`;
  const leave = (mark: string) => {
    skip(turn, id, why, mark);
    // Hundreds of items may come to it: the losses name each of them.
    turn.warn(`${stage.circuitBreaker?.scope === 'item' ? id : splitAddress(id).stage} is left out while its circuit breaker is open`);
  };
  switch (whenOpen) {
    case 'partial':
    case 'skip':
      return leave(whenOpen === 'partial' ? 'partial' : 'unverified');
    case 'abort': {
      const error = {
        id: `${turn.run.id}.${turn.number()}`,
        code: 'STAGE_FAILED',
        message: `${id}: ${why}`,
        component: id,
        at: turn.at,
      } as const;
      return endWith(turn, 'failed', errorRecord(error));
    }
    case 'manual':
      if (stage.kind !== 'review') return leave('unverified');
      return openEscalation(turn, { type: 'approval', step: id, text: `Review ${stage.of} yourself and approve it? ${id} does not work.` });
    case 'ask':
      return;
  }
}

/** What a person decides by: how often it failed, when one more try comes, and what an extension gives. */
export function openText({ run, at, policy }: Turn, stage: RunStage): string {
  const { state, stretch } = findBreaker(run, stage) ?? { state: CLOSED, stretch: 1 };
  const again =
    state.kind === 'open' && state.until < NEVER ? `; one more try in ${formatSpan(Math.max(0, state.until - at))} by itself` : '';
  const more = (stage.timeoutMs ?? policy.stageTimeoutMs) * Math.min(stretch * EXTENSION, LONGEST_STRETCH);
  const times = state.failures === 1 ? 'once' : `${state.failures} times in a row`;
  return `${splitAddress(stage.id).stage} failed ${times}, and its circuit breaker is open${again}. An extension gives each further try ${formatSpan(more)}. Last: `;
}

/** By how much an extension prolongs the time of each further try. */
const EXTENSION = 1.5;
/** Each item that finds the breaker open may extend it, and so does the default: without a bound, hundreds of items have no timeout. */
const LONGEST_STRETCH = 4;

/** What a person, or the default, decided counts for all steps of the breaker. */
export function answerBreaker(turn: Turn, stage: RunStage, option: string): void {
  const breaker = findBreaker(turn.run, stage);
  if (breaker === undefined) return;
  switch (option) {
    case 'extend':
      return changeBreaker(turn, stage, { state: CLOSED, stretch: Math.min(breaker.stretch * EXTENSION, LONGEST_STRETCH) });
    case 'skip':
      // The one try has closed it since the question was asked: only the step that asked is left out.
      if (breaker.state.kind === 'closed') return;
      // For the rest of the run: nobody asks for another try.
      return changeBreaker(turn, stage, { state: { kind: 'open', failures: breaker.state.failures, until: NEVER }, whenOpen: 'skip' });
    case 'manual':
      return changeBreaker(turn, stage, { state: { kind: 'open', failures: breaker.state.failures, until: NEVER }, whenOpen: 'manual' });
  }
}

/** JSON has no infinity. */
export const NEVER = Number.MAX_SAFE_INTEGER;
