import { localDay } from '../../base/local-day.ts';
import { jsonText, visibleLine } from '../../base/visible-text.ts';
import { findWorker } from '../../store/find-worker.ts';
import type { Layout } from '../../store/layout.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemClock } from '../../system/clock.ts';
import { namesIn } from '../../system/files/files.ts';
import { interruption } from '../interruption.ts';
import { isRun, requireName } from '../runs/is-run.ts';
import { sayIfGone } from '../runs/read-runs.ts';
import type { Shell } from '../shell.ts';
import type { LogLine } from './log-line.ts';
import { LogTail } from './log-tail.ts';
import { RunLog } from './run-log.ts';

const FOLLOW_EVERY_MS = 300;

export async function showLogs(
  shell: Shell,
  request: { worker: string | undefined; follow: boolean; recovery: boolean; sinceMs: number | undefined },
): Promise<void> {
  requireRoot(shell.layout);
  const signal = interruption();
  const oldest = request.sinceMs === undefined ? '' : new Date(Math.max(0, systemClock.now() - request.sinceMs)).toISOString();
  const run =
    request.worker !== undefined && (await isRun(shell, request.worker)) ? await RunLog.open(shell.layout, request.worker) : undefined;
  if (run !== undefined) sayIfGone(shell);
  if (request.worker !== undefined && run === undefined && !hasLog(shell.layout, request.worker)) await requireName(shell, request.worker);
  const about = request.recovery && request.worker !== undefined && run === undefined ? logNames(shell.layout, request.worker) : undefined;
  const isAbout = (worker: string) => (run !== undefined && request.recovery ? run.hasWorker(worker) : (about?.includes(worker) ?? true));
  const tails = new Map<string, LogTail>();
  do {
    const files = sources(shell.layout, run === undefined ? request : { worker: undefined, recovery: request.recovery });
    const own = run === undefined ? files : files.filter(({ name }) => run.hasWorker(name) || request.recovery);
    const lines = own.flatMap(({ name, path }) => {
      const tail = tails.get(path) ?? new LogTail(path);
      tails.set(path, tail);
      return tail.next().flatMap((line) => parseLine(name, line));
    });
    if (run !== undefined && !request.recovery) lines.push(...(await run.next()));
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

function logsIn(layout: Layout): ReadonlySet<string> {
  return new Set(namesIn(layout.logs).flatMap((file) => /^(.+)\.log(?:\.1)?$/.exec(file)?.[1] ?? []));
}

function hasLog(layout: Layout, worker: string): boolean {
  return logsIn(layout).has(worker);
}

/** The log of a removed worker still exists; a new worker may not have one yet. */
export function logNames(layout: Layout, worker: string | undefined): readonly string[] {
  const found = logsIn(layout);
  if (worker === undefined) return [...found];
  return [found.has(worker) ? worker : findWorker(readStateLeniently(layout), worker).name];
}

/** Skips plain text: the supervisor's log also contains what the supervisor printed. */
export function parseLine(worker: string, line: string): readonly LogLine[] {
  if (!line.startsWith('{')) return [];
  try {
    const parsed: Omit<LogLine, 'worker' | 'summary'> & Partial<LogLine & OfRun> = JSON.parse(line);
    return [{ ...parsed, worker: parsed.worker ?? parsed.run ?? worker, summary: parsed.summary ?? stepAndText(parsed) }];
  } catch {
    return [];
  }
}

/** The log of a run has the stage and the text apart. One that several runs share names the run. */
interface OfRun {
  readonly run: string;
  readonly step: string | null;
  readonly text: string;
}

const stepAndText = ({ step, text = '' }: Partial<OfRun>): string => (step === undefined || step === null ? text : `${step}: ${text}`);

function render(line: LogLine, json: boolean): string {
  return json ? jsonText(line) : visibleLine(`${localTime(line.time)} ${line.worker}: ${line.kind}: ${line.summary}`);
}

/** The time in the local time zone; `--json` keeps UTC. */
export function localTime(time: string): string {
  const at = new Date(time);
  return `${localDay(at.getTime())} ${at.toTimeString().slice(0, 8)}`;
}
