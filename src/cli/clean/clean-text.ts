import { pastTime } from '../../base/clock-time.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Kept, KeptReason } from '../../workflow/archive/plan-cleaning.ts';
import { bytesText } from '../text/rescue-text.ts';
import type { CleaningPlan } from './read-cleaning.ts';

export type CleanOutput =
  | ({ readonly dry_run: true } & CleaningPlan)
  | {
      readonly dry_run: false;
      readonly archived: readonly { readonly run: string; readonly folder: string }[];
      readonly removed: readonly { readonly worker: string; readonly rescued: string | null }[];
      readonly kept: readonly Kept[];
    };

export function cleanText(output: CleanOutput, now: number): string {
  if (output.dry_run) return [...planLines(output, now), 'Nothing was changed.'].join('\n');
  const { archived, removed, kept } = output;
  const lines = [
    ...removed.map(
      ({ worker, rescued }) =>
        `Removed the worktree of ${worker}.${rescued === null ? '' : ` Its work is saved: llmc rescue show ${rescued}`}`,
    ),
    ...archived.map(({ run, folder }) => `Archived ${run}: ${folder}`),
    ...kept.map(keptLine),
  ];
  return lines.length === 0 ? 'There is nothing to clean.' : lines.map(visibleLine).join('\n');
}

/** What would go, with its size. */
export function planLines({ runs, worktrees, kept, bytes }: CleaningPlan, now: number): readonly string[] {
  if (runs.length + worktrees.length + kept.length === 0) return ['There is nothing to clean.'];
  const lines = [
    ...worktrees.map(
      ({ worker, run, path, bytes: size }) => `remove   ${worker}  ${bytesText(size)}  ${path}${run === null ? '' : `  of ${run}`}`,
    ),
    ...runs.map(({ run, status, ended_ms, bytes: size, archive }) => {
      const ended = ended_ms === null ? '' : `, ended ${pastTime(ended_ms, now)}`;
      return `archive  ${run}  ${bytesText(size)}  ${status}${ended}  to ${archive}`;
    }),
    ...kept.map(keptLine),
    `${worktrees.length} worktrees, ${runs.length} runs, ${bytesText(bytes)} (${bytes} bytes)`,
  ];
  return lines.map(visibleLine);
}

function keptLine({ name, reason }: Kept): string {
  return `keep     ${name}: ${keptWords(name, reason)}`;
}

function keptWords(name: string, reason: KeptReason): string {
  switch (reason.kind) {
    case 'person':
      return `you have not decided about its work: ${commandLine('llmc', 'review', name)}`;
    case 'has_worker':
      return `its worker ${reason.worker} is still there: ${commandLine('llmc', 'why', reason.worker)}`;
    case 'unfinished':
      return 'the supervisor has not finished it: llmc up --detach';
    case 'session':
      return 'something runs in its session, or tmux does not answer: llmc doctor';
    case 'failed':
      return reason.message;
  }
}
