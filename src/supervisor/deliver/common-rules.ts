import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { because, type CommonStep } from './delivery-step.ts';
import type { Rule } from './rules.ts';

interface Waiting {
  readonly row: Pick<Delivery, 'attempt'>;
  readonly policy: { readonly maxAttempts: number };
  readonly now: Instant;
}

/** For a prompt that waits, on each channel. */
export const ATTEMPTS_USED_UP: Rule<Waiting, CommonStep> = {
  name: 'attempts used up',
  step: ({ row, policy, now }) =>
    row.attempt >= policy.maxAttempts ? because('fail', { kind: 'not_accepted', attempts: row.attempt }, now) : undefined,
};

interface Beginning {
  readonly row: Pick<Delivery, 'fresh_conversation'>;
  readonly view: { readonly conversationUsed: boolean };
}

/** The rule of a prompt that begins a task while the conversation still holds an earlier one; how it is emptied differs by channel. */
export function conversationToClear<Facts extends Beginning, Step>(clear: (facts: Facts, why: string) => Step): Rule<Facts, Step> {
  return {
    name: 'conversation to clear',
    step: (facts) =>
      facts.row.fresh_conversation === 1 && facts.view.conversationUsed
        ? clear(facts, 'a new task starts with an empty conversation')
        : undefined,
  };
}
