import type { Delivery } from '../../store/tables/deliveries.ts';
import type { Reported } from '../observe/reported.ts';

export interface Reports {
  /** The report that the agent has this prompt. */
  readonly own: { readonly seq: number } | undefined;
  /** The agent took something else since this prompt was typed. */
  readonly another: boolean;
}

/**
 * Finds the agent's report of this prompt. An earlier prompt may have been acknowledged by the screen before its report arrived.
 * Such a late report does not belong to this prompt, even with the same text, and is not a prompt of a person either.
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
