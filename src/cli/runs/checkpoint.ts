import { pastTime } from '../../base/clock-time.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { ResultOf } from '../../supervisor/api/operations.ts';
import type { CheckpointSnapshot } from '../../workflow/checkpoint/checkpoints.ts';
import { requireRun } from '../../workflow/control/require-run.ts';
import type { Display, Shell } from '../shell.ts';
import { openRuns } from './open-runs.ts';
import { notYetTaken } from './text/taken-text.ts';

interface CheckpointLine extends CheckpointSnapshot {
  readonly id: string;
  readonly type: string;
  readonly created_ms: number;
  readonly note: string;
  readonly completed: readonly string[];
  readonly pending: readonly string[];
  readonly created_by: string;
  /** What is stored matches its hash: a recovery can go on from it. */
  readonly sound: boolean;
}

export type CheckpointOutput =
  | { readonly kind: 'made'; readonly made: ResultOf<'checkpoint'> }
  | { readonly kind: 'listed'; readonly run: string; readonly checkpoints: readonly CheckpointLine[] };

export async function readCheckpoints({ layout }: Pick<Shell, 'layout'>, id: string): Promise<CheckpointOutput> {
  using opened = openRuns(layout);
  await requireRun(opened.runs, id);
  const found = await opened.checkpoints.list(id);
  const checkpoints = found.map(({ id: name, type, createdBy, at, note, completed, pending, snapshot, state }) => ({
    id: name,
    type,
    created_ms: at,
    note,
    completed,
    pending,
    created_by: createdBy,
    ...snapshot,
    sound: state !== null,
  }));
  return { kind: 'listed', run: id, checkpoints };
}

export function checkpointText(output: CheckpointOutput, now: number, { columns }: Pick<Display, 'columns'>): string {
  if (output.kind === 'made') {
    const { run, checkpoint, taken } = output.made;
    return taken ? `${checkpoint ?? run} is saved.` : notYetTaken(`The checkpoint of ${run}`);
  }
  if (output.checkpoints.length === 0) return `${output.run} has no checkpoints yet.`;
  const rows = output.checkpoints.map(({ id, type, created_ms, note, completed, pending, sound }) => [
    id,
    type.replace('_', ' '),
    pastTime(created_ms, now),

    `${completed.length} of ${completed.length + pending.length} stages`,
    visibleLine(sound ? note : `damaged${note === '' ? '' : `, ${note}`}`),
  ]);
  const widths = [0, 1, 2, 3].map((index) => Math.max(...rows.map((row) => measureWidth(row[index] ?? ''))));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => padToWidth(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => cutToWidth(line, columns)).join('\n');
}
