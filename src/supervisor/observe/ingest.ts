import { basename } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import type { AgentEvent, SpoolEvent } from '../../agents/events.ts';
import { isConversationId } from '../../base/conversation-id.ts';
import { fault } from '../../base/fault.ts';
import { visibleText } from '../../base/visible-text.ts';
import { type Database, inTransaction } from '../../store/database.ts';
import { MOST_WAITING, readSpool } from '../../store/spool.ts';
import type { Store } from '../../store/store.ts';
import { pruneStale, type RecordedEvent, readEvents, recordEvent, sealCheck } from '../../store/tables/events.ts';
import { addReport, NOTHING_REPORTED } from './reported.ts';
import type { Watch } from './watch.ts';

/**
 * Ingests the events that the agent's hooks wrote: records them first and removes the files after, so a
 * crash between the two reads a file twice and records it once. It waits for the disk once,
 * however many files there are: after a night without a supervisor there can be thousands.
 * Returns the new events.
 */
export function ingest(store: Store, watch: Watch, agent: Agent): readonly RecordedEvent[] {
  const { read: files, discarded } = readSpool(store.files, store.layout.spool(watch.name), watch.name);
  discard(store, watch, discarded);
  if (files.length === 0) return [];
  const isSealed = sealCheck(store.database, watch.name, watch.life.incarnation);
  const fresh = inTransaction(store.database, () => {
    const recorded = files.flatMap(({ event, seal }) => (event === undefined ? [] : record(store, watch, agent, event, isSealed(seal))));
    if (recorded.some(({ fate }) => fate === 'stale')) pruneStale(store.database, watch.name);
    return recorded;
  });
  const applied = fresh.filter(({ fate }) => fate === 'applied');
  // Add the reports before anything else can fail: a file that is still there is found recorded the next time, and would never be added.
  for (const recorded of applied) {
    fault('event:after-record');
    noteReport(watch, recorded);
  }
  const garbage = files.filter(({ event }) => event === undefined).map(({ path }) => basename(path));
  if (garbage.length > 0) {
    const summary = `ignored ${garbage.length} unreadable event files: ${garbage.slice(0, NAMED).join(', ')}${garbage.length > NAMED ? ', …' : ''}`;
    store.commit({ worker: watch.name, kind: 'event', summary });
  }
  const forged = fresh.find(({ fate }) => fate === 'forged');
  if (forged !== undefined) store.commit({ worker: watch.name, kind: 'event', summary: forgedText(forged.name) });
  for (const { path } of files) store.files.unlink(path);
  return applied;
}

/** Two lines of history, however many passes it takes: when it begins and when it is over. */
function discard(store: Store, watch: Watch, paths: readonly string[]): void {
  const { name: worker, discarded } = watch;
  if (paths.length === 0 && discarded === 0) return;
  for (const path of paths) store.files.unlink(path);
  watch.discarded = paths.length === 0 ? 0 : discarded + paths.length;
  if (discarded === 0)
    store.commit({ worker, kind: 'event', summary: `more than ${MOST_WAITING} event files were waiting; llmc removes the oldest unread` });
  if (paths.length === 0) store.commit({ worker, kind: 'event', summary: `removed ${discarded} event files unread` });
}

/** How many names of unreadable files the history shows. */
const NAMED = 5;

/** Empty for an event that was recorded before. */
function record({ database }: Store, watch: Watch, agent: Agent, event: SpoolEvent, sealed: boolean): readonly RecordedEvent[] {
  fault('event:before-record');
  const recorded = recordAs(database, event, agent, judgeFate(event, watch, sealed));
  return recorded === undefined ? [] : [recorded];
}

function judgeFate({ incarnation }: SpoolEvent, { life }: Watch, sealed: boolean): 'stale' | 'applied' | 'forged' {
  if (incarnation !== life.incarnation) return 'stale';
  return sealed ? 'applied' : 'forged';
}

/** Keeps the content of a report that counts only: any process could have written the others, and fill the database with them. */
function recordAs(database: Database, event: SpoolEvent, agent: Agent, fate: ReturnType<typeof judgeFate>): RecordedEvent | undefined {
  switch (fate) {
    case 'applied':
      return recordEvent(database, event, showable(agent.translate(event)), fate);
    case 'stale':
      return recordEvent(database, event, { kind: 'ignored' }, fate);
    case 'forged':
      // All of them have one id, so that one is recorded.
      return recordEvent(database, { ...event, id: `forged@${event.worker}@${event.incarnation}` }, { kind: 'ignored' }, fate);
  }
}

function forgedText(name: string): string {
  return `ignored a report "${name}" without the seal of the agent (LLMC_SEAL): another process wrote it. Further ones of this incarnation are ignored without a record`;
}

/** llmc only compares a prompt and never shows it; the other texts end up on a person's terminal. */
export function showable(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case 'session_started':
      return event.conversationId === null || isConversationId(event.conversationId) ? event : { ...event, conversationId: null };
    case 'question_opened':
      return { ...event, question: visibleText(event.question), choices: event.choices.map(visibleText) };
    case 'permission_opened':
      return { ...event, tool: visibleText(event.tool), question: visibleText(event.question), choices: event.choices.map(visibleText) };
    case 'turn_ended':
    case 'turn_failed':
      return { ...event, message: visibleText(event.message) };
    default:
      return event;
  }
}

export function noteReport(watch: Watch, recorded: RecordedEvent): void {
  watch.reported = addReport(watch.reported, recorded);
}

/** After a restart of the supervisor: reads what this incarnation has reported so far. */
export function recall(store: Store, watch: Watch): void {
  watch.reported = readEvents(store.database, watch.name, watch.life.incarnation).reduce(addReport, NOTHING_REPORTED);
}
