import type { Delivery } from '../../store/tables/deliveries.ts';
import type { Reported } from '../observe/reported.ts';

/** A summary is one or two paragraphs. The state is written whole at every change. */
const LONGEST = 4_000;

/** The agent's last message of the turn that has just ended; null if it reported none. Never the message of an earlier turn. */
export function turnSummary({ lastTurn }: Pick<Reported, 'lastTurn'>, acked: readonly Pick<Delivery, 'after_event'>[]): string | null {
  const since = Math.max(0, ...acked.map(({ after_event }) => after_event ?? 0));
  if (lastTurn === null || lastTurn.seq <= since) return null;
  return lastTurn.message.trim().slice(0, LONGEST) || null;
}
