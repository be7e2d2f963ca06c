import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { holdsPrompt } from '../agent-files/mixed-prompt.ts';
import type { Reported } from '../observe/reported.ts';

export interface Reports {
  /** The report that the agent has this prompt. `mixed`: together with text that a person typed into the same box. */
  readonly own: { readonly seq: number; readonly mixed?: boolean } | undefined;
  /** The agent took something else since this prompt was typed. */
  readonly another: boolean;
  /** Reports that came after another evidence had acknowledged their prompts. They are stored, so that each belongs to one prompt for ever. */
  readonly late: readonly { readonly delivery: string; readonly event: number }[];
}

/** What is known about the agent that reports, and about the keyboard. */
export interface ReporterFacts {
  readonly incarnation: number;
  /** When tmux was last asked for the keys of people, and when it saw the last; undefined when nobody is attached. */
  readonly tmuxAt: Instant;
  readonly personTypedAt: Instant | undefined;
}

/**
 * Finds the agent's report of this prompt: one with its text, younger than its typing, that acknowledges no other prompt. An earlier
 * prompt may have been acknowledged by the screen before its report arrived. Such a late report does not belong to this prompt, even
 * with the same text, and is not a prompt of a person either.
 */
export function reportsFor(
  row: Delivery,
  others: readonly Delivery[],
  accepted: Reported['accepted'],
  witness: ReporterFacts,
  normalise: (text: string) => string,
): Reports {
  const claimed = new Set(others.map(({ acked_event }) => acked_event));
  const owed = others
    .filter((other) => other.acked_ms !== null && other.acked_event === null && other.incarnation === witness.incarnation)
    .toSorted((a, b) => (a.after_event ?? 0) - (b.after_event ?? 0))
    .map((other) => ({ delivery: other.id, after: other.after_event ?? 0, text: normalise(other.sent_text ?? other.text) }));
  const late: { delivery: string; event: number }[] = [];
  const unclaimed = accepted.filter(({ seq, text, id }) => {
    if (claimed.has(seq)) return false;
    if (id !== undefined) return true;
    const index = owed.findIndex((debt) => seq > debt.after && debt.text === normalise(text));
    const [debt] = index === -1 ? [] : owed.splice(index, 1);
    if (debt !== undefined) late.push({ delivery: debt.delivery, event: seq });
    return debt === undefined;
  });
  // By number, not by time: a clock can be set back. llmc reads all reports before it types, so a later number is a later report.
  const since = unclaimed.filter(({ seq }) => seq > (row.after_event ?? 0));
  const wanted = row.sent_text === null ? undefined : normalise(row.sent_text);
  const isOwn = ({ id, text }: Reported['accepted'][number]) => (id === undefined ? normalise(text) === wanted : id === row.id);
  const own = since.find(isOwn);
  if (own !== undefined) return { own, another: since.some((each) => !isOwn(each)), late };
  // The box is one: what a person sends from it after llmc's paste holds the paste, unless they erased it.
  const isMixed = ({ id, text, at }: Reported['accepted'][number]) =>
    id === undefined && wanted !== undefined && mayBeMixed(row, at, witness) && holdsPrompt(normalise(text), wanted);
  const mixed = since.find(isMixed);
  return { own: mixed && { seq: mixed.seq, mixed: true }, another: since.some((each) => each !== mixed), late };
}

/** tmux tells the time of a key in whole seconds. */
const KEY_TIME_MS = 1_000;

/** Whether a person may have typed into the box after this prompt was pasted there, and before this report. */
function mayBeMixed({ incarnation, typed_ms }: Delivery, at: Instant, witness: ReporterFacts): boolean {
  if (incarnation !== witness.incarnation) return false;
  const { personTypedAt, tmuxAt } = witness;
  return personTypedAt === undefined || tmuxAt < at || personTypedAt + KEY_TIME_MS > (typed_ms ?? 0);
}
