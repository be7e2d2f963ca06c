import type { Delivery } from '../../store/deliveries.ts';
import type { Reported } from '../observe/reported.ts';

export interface Reports {
  /** The agent's own word that it has this prompt. */
  readonly own: { readonly seq: number } | undefined;
  /** Since this prompt was typed the agent took something else. */
  readonly another: boolean;
}

/**
 * Which of the agent's reports is about this prompt. One of an earlier prompt, believed meanwhile on
 * the word of the screen, may still come: it is neither this one's, even with the same text, nor
 * the sign of a prompt that came from somewhere else.
 */
export function reportsFor(
  row: Delivery,
  others: readonly Delivery[],
  accepted: Reported['accepted'],
  normalise: (text: string) => string,
): Reports {
  const owed = others
    .filter((other) => other.acked_ms !== null && other.acked_event === null && other.incarnation === row.incarnation)
    .toSorted((a, b) => (a.after_event ?? 0) - (b.after_event ?? 0))
    .map((other) => ({ after: other.after_event ?? 0, text: normalise(other.sent_text ?? other.text) }));
  const unclaimed = accepted.filter(({ seq, text, id }) => {
    if (id !== undefined) return true;
    const index = owed.findIndex((debt) => seq > debt.after && debt.text === normalise(text));
    if (index !== -1) owed.splice(index, 1);
    return index === -1;
  });
  const since = unclaimed.filter(({ seq }) => seq > (row.after_event ?? 0));
  const wanted = row.sent_text === null ? undefined : normalise(row.sent_text);
  const isOwn = ({ id, text }: Reported['accepted'][number]) => (id === undefined ? normalise(text) === wanted : id === row.id);
  return { own: since.find(isOwn), another: since.some((each) => !isOwn(each)) };
}
