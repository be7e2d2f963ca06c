import type { NewAnswer } from '../../store/tables/answers.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { Reported } from '../observe/reported.ts';
import { linesSince } from './lines-since.ts';

/** A summary is one or two paragraphs. The state is written whole at every change. */
export const LONGEST_SUMMARY = 4_000;

/** The agent's last message of the turn that has just ended; null if it reported none. Never the message of an earlier turn. */
export function turnSummary(
  { lastTurn }: Pick<Reported, 'lastTurn'>,
  acked: readonly Pick<Delivery, 'after_event'>[],
  longest = LONGEST_SUMMARY,
): string | null {
  const since = Math.max(0, ...acked.map(({ after_event }) => after_event ?? 0));
  if (lastTurn === null || lastTurn.seq <= since) return null;
  return lastTurn.message.trim().slice(0, longest) || null;
}

/** As much as an agent can report with one event. */
const LONGEST_ANSWER = 8_000_000;

/** What an agent said in the turn that has just ended, whole: its last message, or what its terminal (`lines`) shows since the prompt. */
export function saidIn(
  reported: Pick<Reported, 'lastTurn'>,
  acked: readonly Pick<Delivery, 'after_event' | 'sent_text'>[],
  lines: readonly string[],
): Pick<NewAnswer, 'text' | 'source' | 'cut'> | undefined {
  const message = turnSummary(reported, acked, LONGEST_ANSWER);
  if (message !== null) return { text: message, source: 'message', cut: message.length === LONGEST_ANSWER ? 1 : 0 };
  const text = linesSince(lines, acked.at(-1)?.sent_text ?? '')
    .join('\n')
    .trimEnd()
    .replace(/^\n+/, '');
  return text === '' ? undefined : { text, source: 'screen', cut: 0 };
}
