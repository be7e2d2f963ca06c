import type { Instant } from '../../base/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { type Delivery, recentDeliveries } from '../../store/tables/deliveries.ts';
import { type RecordedEvent, spokenEvents } from '../../store/tables/events.ts';
import { feedbackIn, taskIn } from '../../workers/prompt/prompts.ts';

/** What was said in the conversation of a worker. The names are part of the contract of `--json`. */
export interface Said {
  readonly at_ms: Instant;
  /** `person`: in a command or in the terminal of the agent. `llmc`: by itself, or for a run. */
  readonly who: 'person' | 'llmc' | 'agent';
  /** A task or feedback without what llmc adds: its instructions, and the change that was reviewed. */
  readonly text: string;
  /** What a prompt is for, such as `task` or `feedback`; null for what was typed in the terminal, and for the agent. */
  readonly purpose: Delivery['purpose'] | null;
  /** Whether the agent has not got the prompt yet, never got it, or could not end its turn. */
  readonly state: 'waiting' | 'failed' | null;
}

/** What a person asks for with a command. llmc writes the others by itself. */
const OF_PEOPLE: readonly Delivery['purpose'][] = ['task', 'message', 'feedback'];

/** The last prompts of a worker and the messages that its agent ended its turns with, the oldest first. */
export function conversation(worker: Worker, database: Database, most: number): readonly Said[] {
  return mergeSaid(worker, recentDeliveries(database, worker.name, most).toReversed(), spokenEvents(database, worker.name, 2 * most)).slice(
    -most,
  );
}

/** llmc deletes old events, so the message kept for the review takes the place of the last one. */
export function mergeSaid(
  worker: Pick<Worker, 'run' | 'summary' | 'last_activity_unix'>,
  deliveries: readonly Delivery[],
  events: readonly RecordedEvent[],
): readonly Said[] {
  const own = new Set(deliveries.flatMap(({ acked_event }) => acked_event ?? []));
  const sent = new Set(deliveries.filter(wasTyped).flatMap(({ text, sent_text }) => [text.trim(), (sent_text ?? text).trim()]));
  const reported = events.flatMap((event) => (own.has(event.seq) ? [] : saidBy(event, sent)));
  // llmc notes a prompt as arrived after it has read the event, so a fast agent may have ended its turn before that.
  const heard = new Map(events.map(({ seq, at }) => [seq, at]));
  const prompts = deliveries.map((row) => ({ ...saidTo(row, worker.run !== null), ...toArrival(row, heard) }));
  const hasMessage = reported.some(({ who }) => who === 'agent');
  const kept: readonly Said[] =
    hasMessage || worker.summary === null
      ? []
      : [{ at_ms: worker.last_activity_unix * 1_000, who: 'agent', text: worker.summary, purpose: null, state: null }];
  return [...prompts, ...reported, ...kept].toSorted((a, b) => a.at_ms - b.at_ms);
}

function toArrival({ acked_event }: Delivery, heard: ReadonlyMap<number, Instant>): Partial<Pick<Said, 'at_ms'>> {
  const at_ms = acked_event === null ? undefined : heard.get(acked_event);
  return at_ms === undefined ? {} : { at_ms };
}

const wasTyped = ({ typed_ms }: Delivery): boolean => typed_ms !== null;

function saidTo({ text, purpose, state, created_ms, typed_ms, acked_ms }: Delivery, isOfRun: boolean): Said {
  const isWaiting = acked_ms === null && state !== 'done' && state !== 'failed';
  return {
    at_ms: acked_ms ?? typed_ms ?? created_ms,
    who: OF_PEOPLE.includes(purpose) && !isOfRun ? 'person' : 'llmc',
    text: purpose === 'task' ? taskIn(text) : purpose === 'feedback' ? feedbackIn(text) : text,
    purpose,
    state: isWaiting ? 'waiting' : state === 'failed' ? 'failed' : null,
  };
}

function saidBy({ at, event }: RecordedEvent, sent: ReadonlySet<string>): readonly Said[] {
  const said = (who: Said['who'], text: string, state: Said['state'] = null): readonly Said[] =>
    text.trim() === '' ? [] : [{ at_ms: at, who, text: text.trim(), purpose: null, state }];
  if (event.kind === 'prompt_accepted') return sent.has(event.text.trim()) ? [] : said('person', taskIn(event.text));
  if (event.kind === 'turn_ended') return said('agent', event.message);
  return event.kind === 'turn_failed' ? said('agent', event.message, 'failed') : [];
}
