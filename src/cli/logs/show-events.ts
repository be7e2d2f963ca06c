import { findWorker } from '../../store/find-worker.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemClock } from '../../system/clock.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { EventReader, parseSince } from './read-events.ts';

const FOLLOW_EVERY_MS = 300;

export interface EventsRequest {
  readonly worker: string | undefined;
  readonly follow: boolean;
  readonly since: string | undefined;
}

/** Prints one JSON document per event. */
export async function showEvents(shell: Shell, { worker, follow, since }: EventsRequest): Promise<void> {
  requireRoot(shell.layout);
  if (worker !== undefined) findWorker(readStateLeniently(shell.layout), worker);
  const signal = interruption();
  // A script that only asks once wants everything; one that follows wants what is new.
  const start = since === undefined ? (follow ? undefined : { seq: 0 }) : parseSince(since, systemClock.now());
  const reader = new EventReader(shell.layout.database, start, worker);
  while (!signal.aborted) {
    const lines = reader.next();
    for (const line of lines) shell.outJson(line);
    if (lines.length > 0) continue;
    if (!follow) return;
    await systemClock.sleep(FOLLOW_EVERY_MS, signal).catch(() => undefined);
  }
}
