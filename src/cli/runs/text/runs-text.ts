import { pastTime } from '../../../base/clock-time.ts';
import { formatSpan } from '../../../base/duration.ts';
import { sentence } from '../../../base/sentence.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { RunLine } from '../../../workflow/view/run-view.ts';
import type { Display } from '../../shell.ts';
import { STANDS_STILL } from './taken-text.ts';

const MOST_SHOWN = 20;

/** Every run that has not ended, then the newest of the others. */
export function runsText(runs: readonly RunLine[], now: number, { columns, atRoot }: Display, stands = false): string {
  if (runs.length === 0) return atRoot('No runs yet: llmc run swarm --input task="…"');
  const living = runs.filter(({ ended_ms }) => ended_ms === null);
  const ended = runs.filter(({ ended_ms }) => ended_ms !== null).slice(0, Math.max(0, MOST_SHOWN - living.length));
  const shown = [...living, ...ended];
  const rows = shown.map((run) => [
    run.id,
    statusWords(run),
    describeSpan(run, now),
    visibleLine(run.waiting_for ?? describeEnd(run, now)),
  ]);
  const widths = [0, 1, 2].map((index) => Math.max(...rows.map((row) => measureWidth(row[index] ?? ''))));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => padToWidth(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const more = runs.length - shown.length;
  return [
    ...(stands ? [atRoot(`! ${STANDS_STILL}`)] : []),
    ...lines.map((line) => cutToWidth(line, columns)),
    ...(more === 0 ? [] : [atRoot(`… ${more} more: llmc runs --json`)]),
  ].join('\n');
}

/** When a run ended, and why, if it ended early. */
function describeEnd({ ended_ms, error }: RunLine, now: number): string {
  return ended_ms === null ? '' : [`ended ${pastTime(ended_ms, now)}`, ...(error === null ? [] : [error.message])].join(': ');
}

/** `waits for you, reduced` */
export function statusWords({ status, degradation_level: level }: Pick<RunLine, 'status' | 'degradation_level'>): string {
  const word = status === 'waiting' ? 'waits for you' : status;
  return level === 'full' || level === status ? word : `${word}, ${level}`;
}

/** Why a run ended before its last stage; null if it did not. */
export function endReason({ status, error }: Pick<RunLine, 'status' | 'error'>): string | null {
  return error === null ? null : `${status === 'aborted' ? 'Aborted' : error.code}: ${sentence(error.message)}`;
}

export function describeSpan({ created_ms, ended_ms }: Pick<RunLine, 'created_ms' | 'ended_ms'>, now: number): string {
  return formatSpan((ended_ms ?? now) - created_ms);
}
