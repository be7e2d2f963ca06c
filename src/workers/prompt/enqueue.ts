import type { Database } from '../../store/database.ts';
import { insertDelivery, type NewDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../context.ts';

export interface Outgoing extends Pick<NewDelivery, 'worker' | 'purpose' | 'text'> {
  readonly freshConversation: boolean;
  /** Default: a new one. A known id makes a repetition recognisable. */
  readonly id?: string;
}

export interface Prepared {
  readonly id: string;
  readonly write: (database: Database) => void;
}

/** Prepares the row of a new delivery; the caller writes it in the same transaction as the status it belongs to. */
export function prepareDelivery(
  { clock, random }: Pick<WorkContext, 'clock' | 'random'>,
  { freshConversation, id = random.id(), ...outgoing }: Outgoing,
): Prepared {
  const row = { ...outgoing, id, fresh_conversation: freshConversation ? 1 : 0, created_ms: clock.now() };
  return { id, write: (database) => insertDelivery(database, row) };
}
