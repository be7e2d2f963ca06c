import type { Agent } from '../agents/agent.ts';
import type { AgentEvent } from '../agents/events.ts';
import { fault } from '../base/fault.ts';
import { plainText } from '../base/plain-text.ts';
import { eventsOf, type RecordedEvent, recordEvent } from '../store/events.ts';
import { discard, readSpool } from '../store/spool.ts';
import type { Store } from '../store/store.ts';
import { NO_MEMORY, remember } from './memory.ts';
import type { Watch } from './watch.ts';

/**
 * Takes in what the agent's hooks dropped: recorded first, removed after, so that a
 * crash between the two reads a file twice and records it once. Returns the new events.
 */
export function ingest(store: Store, watch: Watch, agent: Agent): readonly RecordedEvent[] {
  const fresh: RecordedEvent[] = [];
  for (const file of readSpool(store.layout.spool(watch.name), watch.name)) {
    if (file.event === undefined) {
      store.commit({ worker: watch.name, kind: 'event', summary: `ignored an unreadable event file: ${file.path}` });
      discard(file);
      continue;
    }
    const stale = file.event.incarnation !== watch.incarnation;
    fault('event:before-record');
    const recorded = recordEvent(store.database, file.event, showable(agent.translate(file.event)), stale ? 'stale' : 'applied');
    fault('event:after-record');
    // Before the file goes: one that cannot be removed is found recorded the next time, and would never be remembered.
    if (recorded !== undefined && !stale) {
      fresh.push(recorded);
      watch.progressAt = Math.max(watch.progressAt, recorded.at);
      watch.memory = remember(watch.memory, recorded);
    }
    discard(file);
  }
  return fresh;
}

/** A prompt is only compared, never shown; the rest ends up on a person's terminal. */
function showable(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case 'question_opened':
      return { ...event, question: plainText(event.question), choices: event.choices.map(plainText) };
    case 'permission_opened':
      return { ...event, tool: plainText(event.tool), question: plainText(event.question), choices: event.choices.map(plainText) };
    case 'turn_ended':
    case 'turn_failed':
      return { ...event, message: plainText(event.message) };
    default:
      return event;
  }
}

/** After a restart of the supervisor: what this incarnation has reported so far. */
export function recall(store: Store, watch: Watch): void {
  watch.memory = eventsOf(store.database, watch.name, watch.incarnation).reduce(remember, NO_MEMORY);
}
