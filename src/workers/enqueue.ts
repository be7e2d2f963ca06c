import { createHash } from 'node:crypto';
import type { Agent } from '../agents/agent.ts';
import type { Database } from '../store/database.ts';
import { type Delivery, insertDelivery } from '../store/deliveries.ts';
import type { WorkContext } from './context.ts';

export interface Outgoing {
  readonly worker: string;
  readonly purpose: Delivery['purpose'];
  readonly text: string;
  readonly freshConversation: boolean;
}

/** Prepares a row for the delivery ledger; the caller writes it in the same transaction as the status it belongs to. */
export function prepareDelivery(
  context: Pick<WorkContext, 'clock' | 'random'>,
  agent: Agent,
  outgoing: Outgoing,
): { id: string; write: (database: Database) => void } {
  const id = context.random.id();
  const safe = agent.makeSafe(outgoing.text);
  const row = {
    id,
    worker: outgoing.worker,
    purpose: outgoing.purpose,
    text: outgoing.text,
    sent_text: safe.text,
    text_hash: createHash('sha256').update(safe.text).digest('hex'),
    changes: JSON.stringify(safe.changes),
    fresh_conversation: outgoing.freshConversation ? 1 : 0,
    created_ms: context.clock.now(),
  };
  return { id, write: (database) => insertDelivery(database, row) };
}
