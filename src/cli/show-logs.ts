import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { findWorker } from '../store/find-worker.ts';
import { peekState } from '../store/peek-state.ts';
import { requireRoot } from '../supervisor/require-root.ts';
import { systemClock } from '../system/clock.ts';
import { readTextIfThere } from '../system/files.ts';
import { interruption } from './interruption.ts';
import type { Shell } from './shell.ts';

interface LogLine {
  readonly time: string;
  readonly worker: string;
  readonly kind: string;
  readonly summary: string;
}

const FOLLOW_EVERY_MS = 300;

export async function showLogs(
  shell: Shell,
  request: { worker: string | undefined; follow: boolean; sinceMs: number | undefined },
): Promise<void> {
  requireRoot(shell.layout);
  if (request.worker !== undefined) findWorker(peekState(shell.layout), request.worker);
  const signal = interruption();
  const oldest = request.sinceMs === undefined ? '' : new Date(Math.max(0, systemClock.now() - request.sinceMs)).toISOString();
  const shown = new Map<string, number>();
  do {
    const lines = logNames(shell, request.worker).flatMap((name) => {
      const all = readLog(shell, name);
      const fresh = all.slice(shown.get(name) ?? 0);
      shown.set(name, all.length);
      return fresh;
    });
    for (const line of lines.filter(({ time }) => time >= oldest).sort((a, b) => a.time.localeCompare(b.time)))
      shell.out(render(line, shell.options.json));
    if (request.follow) await systemClock.sleep(FOLLOW_EVERY_MS, signal).catch(() => undefined);
  } while (request.follow && !signal.aborted);
}

function logNames(shell: Shell, worker: string | undefined): readonly string[] {
  if (worker !== undefined) return [worker];
  return readdirSync(shell.layout.logs)
    .filter((name) => name.endsWith('.log'))
    .map((name) => basename(name, '.log'));
}

/** The supervisor's log also holds what it printed as plain text. */
function readLog(shell: Shell, name: string): readonly LogLine[] {
  const text = readTextIfThere(shell.layout.log(name)) ?? '';
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const parsed: Omit<LogLine, 'worker'> = JSON.parse(line);
      return [{ worker: name, ...parsed }];
    } catch {
      return [];
    }
  });
}

function render(line: LogLine, json: boolean): string {
  return json ? JSON.stringify(line) : `${line.time.slice(0, 19).replace('T', ' ')} ${line.worker}: ${line.kind}: ${line.summary}`;
}
