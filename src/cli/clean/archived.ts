import { pastTime } from '../../base/clock-time.ts';
import { cutToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { type ArchivedRun, archivedRuns } from '../../workflow/archive/archived.ts';
import type { Display, Shell } from '../shell.ts';

/** The newest first. */
export function readArchivedRuns({ layout }: Pick<Shell, 'layout'>): readonly ArchivedRun[] {
  requireRoot(layout);
  return archivedRuns(systemFiles, layout);
}

export function archivedText(runs: readonly ArchivedRun[], now: number, { columns }: Pick<Display, 'columns'>): string {
  if (runs.length === 0) return 'No run is archived.';
  return runs
    .map(({ run, status, archived_ms, folder }) =>
      cutToWidth(visibleLine(`${run}  ${status}  archived ${pastTime(archived_ms, now)}  ${folder}`), columns),
    )
    .join('\n');
}
