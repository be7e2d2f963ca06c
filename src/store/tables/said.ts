import type { AgentEvent } from '../../agents/events.ts';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';

/** What agents say to people: the end of a turn, what they ask, what they want to do, and what went wrong. */
const SAID_KINDS = ['answer', 'question', 'permission', 'error'] as const;
export type SaidKind = (typeof SAID_KINDS)[number];

/** A page of text; an agent can report megabytes. */
const LONGEST = 20_000;

/** Keeps the words of an event for `llmc search`, with the task that the worker has. */
export function keepSaid(
  database: Database,
  event: { readonly id: string; readonly worker: string; readonly at: Instant },
  what: AgentEvent,
): void {
  const words = toSaid(what);
  if (words === undefined || words.text.trim() === '') return;
  const { id, worker, at } = event;
  prepared(
    database,
    `INSERT OR IGNORE INTO said (event, at_ms, worker, task, kind, text)
     VALUES (?, ?, ?, (SELECT number FROM queue WHERE given_to = ? AND state = 'given'), ?, ?)`,
  ).run(id, Math.floor(at), worker, worker, words.kind, words.text.slice(0, LONGEST));
}

function toSaid(event: AgentEvent): { readonly kind: SaidKind; readonly text: string } | undefined {
  switch (event.kind) {
    case 'turn_ended':
      return { kind: 'answer', text: event.message };
    case 'turn_failed':
      return { kind: 'error', text: event.message };
    case 'question_opened':
      return { kind: 'question', text: [event.question, ...event.choices].join('\n') };
    case 'permission_opened':
      return { kind: 'permission', text: [event.question, event.command ?? ''].join('\n') };
    default:
      return undefined;
  }
}

/** About a year of a busy root. */
const SAID_KEPT = 20_000;

export function pruneSaid(database: Database): void {
  prepared(database, 'DELETE FROM said WHERE seq <= (SELECT max(seq) FROM said) - ?').run(SAID_KEPT);
}
