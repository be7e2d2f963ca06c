import { localDay } from '../../base/local-day.ts';
import { jsonText, visibleLine } from '../../base/visible-text.ts';
import { findWorker } from '../../store/find-worker.ts';
import type { Layout } from '../../store/layout.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemClock } from '../../system/clock.ts';
import { namesIn } from '../../system/files/files.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { LogTail } from './log-tail.ts';

interface LogLine {
  readonly time: string;
  readonly worker: string;
  readonly kind: string;
  readonly summary: string;
}

const FOLLOW_EVERY_MS = 300;

export async function showLogs(
  shell: Shell,
  request: { worker: string | undefined; follow: boolean; recovery: boolean; sinceMs: number | undefined },
): Promise<void> {
  requireRoot(shell.layout);
  const signal = interruption();
  const oldest = request.sinceMs === undefined ? '' : new Date(Math.max(0, systemClock.now() - request.sinceMs)).toISOString();
  const about = request.recovery && request.worker !== undefined ? logNames(shell.layout, request.worker) : undefined;
  const isAbout = (worker: string) => about?.includes(worker) ?? true;
  const tails = new Map<string, LogTail>();
  do {
    const lines = sources(shell.layout, request).flatMap(({ name, path }) => {
      const tail = tails.get(path) ?? new LogTail(path);
      tails.set(path, tail);
      return tail.next().flatMap((line) => parseLine(name, line));
    });
    for (const line of lines.filter(({ time, worker }) => time >= oldest && isAbout(worker)).sort((a, b) => a.time.localeCompare(b.time)))
      shell.out(render(line, shell.options.json));
    if (request.follow) await systemClock.sleep(FOLLOW_EVERY_MS, signal).catch(() => undefined);
  } while (request.follow && !signal.aborted);
}

/** A line of the recovery log names its worker itself. */
function sources(
  layout: Layout,
  { worker, recovery }: { readonly worker: string | undefined; readonly recovery: boolean },
): readonly { readonly name: string; readonly path: string }[] {
  if (recovery) return [{ name: 'llmc', path: layout.recoveryLog }];
  return logNames(layout, worker).map((name) => ({ name, path: layout.log(name) }));
}

/** The log of a removed worker still exists; a new worker may not have one yet. */
export function logNames(layout: Layout, worker: string | undefined): readonly string[] {
  const found = new Set(namesIn(layout.logs).flatMap((file) => /^(.+)\.log(?:\.1)?$/.exec(file)?.[1] ?? []));
  if (worker === undefined) return [...found];
  return [found.has(worker) ? worker : findWorker(readStateLeniently(layout), worker).name];
}

/** Skips plain text: the supervisor's log also contains what the supervisor printed. */
function parseLine(worker: string, line: string): readonly LogLine[] {
  if (!line.startsWith('{')) return [];
  try {
    const parsed: Omit<LogLine, 'worker'> & { worker?: string | null } = JSON.parse(line);
    return [{ ...parsed, worker: parsed.worker ?? worker }];
  } catch {
    return [];
  }
}

function render(line: LogLine, json: boolean): string {
  return json ? jsonText(line) : visibleLine(`${localTime(line.time)} ${line.worker}: ${line.kind}: ${line.summary}`);
}

/** The time in the local time zone; `--json` keeps UTC. */
function localTime(time: string): string {
  const at = new Date(time);
  return `${localDay(at.getTime())} ${at.toTimeString().slice(0, 8)}`;
}
