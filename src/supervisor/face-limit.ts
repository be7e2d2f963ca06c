import type { Config } from '../config/schema.ts';
import { decideResume } from '../recovery/decide-resume.ts';
import { type Delivery, isAnswered, nextDelivery } from '../store/deliveries.ts';
import type { WorkContext } from '../workers/context.ts';
import { isAtWork } from '../workers/status.ts';
import { standsAtItsPrompt } from './decide-delivery.ts';
import { queueAfterLimit } from './go-on.ts';
import { noteStrike, parkedUntil, strikeOf } from './limits.ts';
import type { Watch } from './watch.ts';

/** `waits`: at a limit that holds. `settled`: at one that is behind it, so that what counts is that it stands at its prompt. */
export type Faced = 'none' | 'acted' | 'waits' | 'settled';

/** An agent at its usage limit: its account rests, and when that is over it is told to go on. */
export async function faceLimit(
  context: Pick<WorkContext, 'store' | 'clock' | 'random' | 'layout' | 'config'>,
  watch: Watch,
  config: Config,
): Promise<Faced> {
  const { store, clock } = context;
  const now = clock.now();
  const strike = strikeOf(watch, now);
  if (strike === undefined) return 'none';
  const answered = isAnswered(store.database, watch.name, strike);
  if (!answered && noteStrike(context, watch, config, strike)) return 'acted';
  const { status, current_prompt } = store.worker(watch.name);
  const step = decideResume(
    {
      ...{ strike, answered, hasTask: isAtWork(status) && current_prompt !== null },
      goesOnAt: parkedUntil(context, watch, config, now)?.at,
      stands: stands(watch, nextDelivery(store.database, watch.name)),
    },
    now,
  );
  if (step.kind === 'go_on') await queueAfterLimit(context, watch.name);
  return step.kind === 'go_on' ? 'acted' : step.kind === 'settled' ? 'settled' : 'waits';
}

function stands({ spoken, look }: Watch, next: Delivery | undefined): boolean {
  if (next?.state === 'typed' || next?.state === 'submitted') return false;
  // One that is spoken to has no screen that counts, and its own word is that its turn has ended.
  if (spoken !== undefined) return true;
  return look !== undefined && look.reading.box.kind !== 'absent' && standsAtItsPrompt(look.reading.activity);
}
