import type { Config } from '../config/schema.ts';
import { decideResume } from '../recovery/decide-resume.ts';
import type { Strike } from '../recovery/usage-limit.ts';
import { type Delivery, nextDelivery, recentDeliveries } from '../store/deliveries.ts';
import type { WorkContext } from '../workers/context.ts';
import { isAtWork } from '../workers/status.ts';
import { standsAtItsPrompt } from './decide-delivery.ts';
import { queueAfterLimit } from './go-on.ts';
import { noteStrike, parkedUntil, strikeOf } from './limits.ts';
import type { Watch } from './watch.ts';

/** `waits`: at a limit that holds. `settled`: at one that is behind it, so that what counts is that it stands at its prompt. */
export type Faced = 'none' | 'acted' | 'waits' | 'settled';

const RECENT = 20;

/** An agent at its usage limit: its account rests, and when that is over it is told to go on. */
export async function faceLimit(context: WorkContext, watch: Watch, config: Config): Promise<Faced> {
  const { store, clock } = context;
  const strike = strikeOf(watch);
  if (strike === undefined) return 'none';
  const answered = recentDeliveries(store.database, watch.name, RECENT).some((row) => answers(row, strike));
  if (!answered && noteStrike(context, watch, config)) return 'acted';
  const { status, current_prompt } = store.worker(watch.name);
  const now = clock.now();
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

/** Sent after the limit was reached, or queued to make the agent go on. Events have numbers, so that no clock decides which came first. */
function answers(row: Delivery, strike: Strike): boolean {
  if (row.purpose === 'continue' && (row.state === 'queued' || row.state === 'held')) return true;
  if (row.typed_ms === null) return false;
  return strike.event === null ? (row.submitted_ms ?? row.typed_ms) >= strike.at : (row.after_event ?? -1) >= strike.event;
}

function stands({ spoken, look }: Watch, next: Delivery | undefined): boolean {
  if (next?.state === 'typed' || next?.state === 'submitted') return false;
  // One that is spoken to has no screen that counts, and its own word is that its turn has ended.
  if (spoken !== undefined) return true;
  return look !== undefined && look.reading.box.kind !== 'absent' && standsAtItsPrompt(look.reading.activity);
}
