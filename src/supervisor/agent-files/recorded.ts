import type { Agent, RecordedPrompt } from '../../agents/agent.ts';
import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { InRecord } from '../../recovery/decide-taken.ts';
import type { Worker } from '../../store/state.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { holdsPrompt } from './mixed-prompt.ts';
import { type Record, readRecord } from './transcript-file.ts';

/**
 * The deliveries that the entries of a record belong to. An entry belongs to one delivery for ever: the last one with its text that was
 * typed before the entry was written. The same words sent before, however recently, acknowledge nothing. An entry without such a delivery
 * may be the one typed last together with a person's words: the box is one.
 */
export function ownersOf(
  entries: readonly RecordedPrompt[],
  rows: readonly Delivery[],
  normalise: (text: string) => string,
): ReadonlySet<string> {
  const typed = rows
    .flatMap((row) => (row.typed_ms === null ? [] : [{ id: row.id, at: row.typed_ms, text: normalise(row.sent_text ?? row.text) }]))
    .toSorted((a, b) => b.at - a.at);
  const found = entries.map((entry) => {
    const text = normalise(entry.text);
    const before = typed.filter(({ at }) => at <= entry.at);
    return { text, last: before[0], exact: before.find((row) => row.text === text)?.id };
  });
  const exact = new Set(found.flatMap(({ exact: id }) => id ?? []));
  const mixed = found.flatMap(({ text, last, exact: id }) =>
    id === undefined && last !== undefined && !exact.has(last.id) && holdsPrompt(text, last.text) ? last.id : [],
  );
  return new Set([...exact, ...mixed]);
}

/** What the record of a conversation says about prompts that a dead agent had taken. */
export function inRecord(
  files: Pick<Files, 'names' | 'exists' | 'size' | 'readEnd'>,
  worker: Worker,
  agent: Agent,
  config: Config,
  rows: readonly Delivery[],
): (row: Delivery) => InRecord {
  const { transcript } = agent;
  if (transcript === undefined) return () => 'unknown';
  const record = readRecord(files, worker, config);
  const entries = record.text === undefined ? [] : transcript.prompts(record.text);
  const owners = ownersOf(
    entries.filter(({ waiting }) => waiting !== true),
    rows,
    agent.normalise,
  );
  return (row) => (owners.has(row.id) ? 'held' : reachesBack(record, entries, row) ? 'missing' : 'unknown');
}

/** A record that llmc could not read, or not as far back as the typing, proves nothing. */
function reachesBack({ state }: Record, entries: readonly RecordedPrompt[], { typed_ms }: Delivery): boolean {
  switch (state) {
    case 'whole':
    case 'absent':
      return true;
    case 'unreadable':
      return false;
    case 'end':
      return typed_ms !== null && entries.some(({ at }) => at < typed_ms);
  }
}
