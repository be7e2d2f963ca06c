import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { layoutAround } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { loadAgent } from '../../workers/context.ts';
import { agentEnvironment } from './agent-environment.ts';

/** Codex keeps the conversations of a day in one folder. */
const MOST_NAMES = 50_000;
/** Far more than an agent writes in the seconds between a prompt and the search for it. */
const END_BYTES = 32 * 1024 * 1024;

export type RecordFiles = Pick<Files, 'names' | 'readEnd' | 'plainSize'>;

/** Where the CLI's own transcript of a conversation is, and its size. `unreadable`: not a plain file, or llmc could not look. */
export type TranscriptPlace =
  | { readonly state: 'found'; readonly path: string; readonly size: number }
  | { readonly state: 'absent' | 'unreadable' };

export function findTranscript(files: Pick<Files, 'names' | 'plainSize'>, worker: Worker, config: Config): TranscriptPlace {
  let missed = false;
  const list = (folder: string) => {
    const names = files.names(folder, MOST_NAMES);
    // A folder that gives no names, or too many, can still have the file.
    missed ||= names.length === 0 ? files.plainSize(folder) !== 'absent' : names.length >= MOST_NAMES;
    return names;
  };
  const path = locateTranscript(worker, config, list);
  if (path === undefined) return { state: missed ? 'unreadable' : 'absent' };
  const size = files.plainSize(path);
  if (size === 'unknown') return { state: 'unreadable' };
  return size === 'absent' ? { state: 'absent' } : { state: 'found', path, size };
}

/** The path of the CLI's own transcript of a worker's conversation; undefined when llmc cannot name it. */
export function transcriptPath(files: Pick<Files, 'names'>, worker: Worker, config: Config): string | undefined {
  return locateTranscript(worker, config, (folder) => files.names(folder, MOST_NAMES));
}

function locateTranscript(worker: Worker, config: Config, list: (folder: string) => readonly string[]): string | undefined {
  const { agent, worktree_path, conversation_id } = worker;
  const { transcript } = loadAgent(config, agent);
  if (conversation_id === null || transcript === undefined) return undefined;
  // The demo agent keeps its conversations in the folder of its worker.
  const env = { ...agentEnvironment(config, worker), LLMC_SCRATCH: layoutAround(worktree_path).scratch(worker.name) };
  return transcript.path(env, worktree_path, conversation_id, list);
}

/** The transcript, or its end, which has the latest prompts. */
export type Record =
  | { readonly state: 'read'; readonly text: string; readonly start: number; readonly size: number }
  | { readonly state: 'absent' | 'unreadable' };

/** `from`: earlier lines are not needed. */
export function readTranscriptEnd(files: RecordFiles, worker: Worker, config: Config, from = 0): Record {
  const place = findTranscript(files, worker, config);
  if (place.state !== 'found') return place;
  const end = files.readEnd(place.path, END_BYTES, from);
  return end === undefined ? { state: 'unreadable' } : { state: 'read', ...end };
}

/** How far a record reached when a prompt was typed: what follows was written after it, whatever the clocks say. */
export type RecordMark = Pick<Delivery, 'record_conversation' | 'record_bytes'>;

export function markRecord(files: RecordFiles, worker: Worker, config: Config): RecordMark {
  const place = findTranscript(files, worker, config);
  if (place.state === 'unreadable' || worker.conversation_id === null) return { record_conversation: null, record_bytes: null };
  return { record_conversation: worker.conversation_id, record_bytes: place.state === 'found' ? place.size : 0 };
}

/** Undefined for a prompt that was typed into another conversation, or without a mark. */
export function markIn({ record_conversation, record_bytes }: RecordMark, conversation: string | null): number | undefined {
  return record_conversation === conversation ? (record_bytes ?? undefined) : undefined;
}
