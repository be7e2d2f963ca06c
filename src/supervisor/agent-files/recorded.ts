import type { Agent, RecordedPrompt, Transcript } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import type { InRecord } from '../../recovery/decide-taken.ts';
import type { Worker } from '../../store/state.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { holdsPrompt } from './mixed-prompt.ts';
import { markIn, type Record, type RecordFiles, readTranscriptEnd } from './transcript-file.ts';

/** A prompt in a record, and the byte of the record at which its line begins. */
export interface RecordEntry extends RecordedPrompt {
  readonly offset: number;
}

export function parseRecordedEntries(transcript: Transcript, record: Record): readonly RecordEntry[] {
  if (record.state !== 'read') return [];
  let next = record.start;
  return record.text.split('\n').flatMap((line) => {
    const offset = next;
    next += Buffer.byteLength(line) + 1;
    return transcript.prompts(line).map((prompt) => ({ ...prompt, offset }));
  });
}

/**
 * The deliveries that the entries of a record belong to. An entry belongs to one delivery for ever: the last one with its text that was
 * typed before the entry was written. The same words sent before, however recently, acknowledge nothing. An entry without such a delivery
 * may be the one typed last together with a person's words: the box is one.
 */
export function collectOwners(
  entries: readonly RecordEntry[],
  rows: readonly Delivery[],
  conversation: string | null,
  normalise: (text: string) => string,
): ReadonlySet<string> {
  const typed = rows
    .flatMap((row) => (row.typed_ms === null ? [] : [typedAs(row, row.typed_ms, conversation, normalise)]))
    .toSorted(latestFirst);
  const found = entries.map((entry) => {
    const text = normalise(entry.text);
    const before = typed.filter((row) => wasTypedBefore(row, entry));
    return { text, last: before[0], exact: before.find((row) => row.text === text)?.id };
  });
  const exact = new Set(found.flatMap(({ exact: id }) => id ?? []));
  const mixed = found.flatMap(({ text, last, exact: id }) =>
    id === undefined && last !== undefined && !exact.has(last.id) && holdsPrompt(text, last.text) ? last.id : [],
  );
  return new Set([...exact, ...mixed]);
}

interface Typed {
  readonly id: string;
  readonly at: number;
  readonly after: number;
  readonly mark: number | undefined;
  readonly text: string;
}

function typedAs(row: Delivery, at: number, conversation: string | null, normalise: (text: string) => string): Typed {
  const { id, after_event, sent_text, text } = row;
  return { id, at, after: after_event ?? 0, mark: markIn(row, conversation), text: normalise(sent_text ?? text) };
}

/** The order in the record counts where it is known: a clock that was set back gives a later entry an earlier time. */
function wasTypedBefore({ mark, at }: Typed, entry: RecordEntry): boolean {
  return mark === undefined ? at <= entry.at : mark <= entry.offset;
}

function latestFirst(a: Typed, b: Typed): number {
  if (a.mark === undefined || b.mark === undefined) return b.at - a.at;
  return b.mark - a.mark || b.after - a.after || b.at - a.at;
}

/** What the record of a conversation says about prompts that a dead agent had taken. */
export function inRecord(
  files: RecordFiles,
  worker: Worker,
  agent: Agent,
  config: Config,
  rows: readonly Delivery[],
): (row: Delivery) => InRecord {
  const { transcript } = agent;
  if (transcript === undefined) return () => 'unknown';
  const { conversation_id: conversation } = worker;
  const record = readTranscriptEnd(files, worker, config);
  const entries = parseRecordedEntries(transcript, record);
  const owners = collectOwners(
    entries.filter(({ waiting }) => waiting !== true),
    rows,
    conversation,
    agent.normalise,
  );
  return (row) => (owners.has(row.id) ? 'held' : reachesBack(record, entries, row, conversation) ? 'missing' : 'unknown');
}

/** A record that llmc could not read, or not as far back as the typing, proves nothing. */
function reachesBack(record: Record, entries: readonly RecordEntry[], row: Delivery, conversation: string | null): boolean {
  if (record.state !== 'read') return record.state === 'absent';
  const mark = markIn(row, conversation);
  // The CLI has cut or replaced its record since.
  if (mark !== undefined && mark > record.size) return false;
  if (record.start === 0) return true;
  const { typed_ms } = row;
  return mark === undefined ? typed_ms !== null && entries.some(({ at }) => at < typed_ms) : record.start <= mark;
}
