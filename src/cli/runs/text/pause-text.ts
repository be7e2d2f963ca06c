import { formatSpan } from '../../../base/duration.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import type { PauseView } from '../../../workflow/view/pause-view.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';
import type { StageView } from '../../../workflow/view/stage-view.ts';

type Paused = Pick<RunView, 'id' | 'pause' | 'stages'>;

/** What a pause found, and how the run goes on. Empty for a run that is not paused. */
export function pauseLines(view: Paused, now: number): readonly string[] {
  return [...pauseSummary(view, now), ...waysOn(view)];
}

/** What a pause found. */
export function pauseSummary({ pause, stages }: Paused, now: number): readonly string[] {
  if (pause === null) return [];
  if (pause.until_ms !== null) return [`! pausing: agents save what they have, ${formatSpan(Math.max(0, pause.until_ms - now))} left`];
  const all = stages.flatMap((stage) => [stage, ...(stage.items ?? []).flatMap((item) => item.stages)]);
  const partial = pause.partial.map((address) => `${address}${howFar(all.find((stage) => stage.id === address))}`);
  return [
    `! paused ${formatSpan(Math.max(0, now - pause.since_ms))} ago`,
    `    complete: ${listed(pause.complete)}`,
    `    partial: ${listed(partial)}`,
    `    not started: ${listed(pause.not_started)}`,
    ...(pause.files === null || pause.partial.length === 0 ? [] : [`    unfinished files: ${pause.files}`]),
  ];
}

function waysOn({ id, pause }: Paused): readonly string[] {
  if (pause === null || pause.until_ms !== null) return [];
  const [first] = pause.partial;
  const next = skipTarget(pause);
  return [
    `    ${commandLine('llmc', 'resume', id)}`,
    ...(first === undefined ? [] : [`    ${commandLine('llmc', 'resume', id, '--restart', first)}    from its beginning`]),
    ...(next === undefined
      ? []
      : [`    ${commandLine('llmc', 'resume', id, '--skip-to', next)}    not recommended: the results may have gaps`]),
  ];
}

/** The stage after what is unfinished; undefined if nothing is. An item is not skipped to: its list counts with what is complete. */
export function skipTarget({ partial, not_started }: PauseView): string | undefined {
  return partial.length === 0 ? undefined : not_started.find((address) => !address.includes('/'));
}

const MOST_NAMED = 12;

export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const more = names.length - MOST_NAMED;
  return more <= 0 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more`;
}

/** What its agent says itself. */
function howFar(stage: StageView | undefined): string {
  const progress = stage?.progress ?? null;
  if (progress === null || progress.total === 0) return '';
  const percent = Math.min(100, Math.round((100 * progress.done) / progress.total));
  return ` (${percent} %${progress.note === '' ? '' : `: ${progress.note}`})`;
}
