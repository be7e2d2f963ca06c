import { commandLine } from '../../../base/shell-quote.ts';
import { lossText } from '../../../recovery/degradation.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';

/** Hundreds of items may lack something; `llmc report` and --json have all of it. */
const MOST_SHOWN = 8;

/** What a run goes on without, and how. */
export function lossLines({ id, losses }: Pick<RunView, 'id' | 'losses'>): readonly string[] {
  const shown = losses.length > MOST_SHOWN ? losses.slice(0, MOST_SHOWN - 1) : losses;
  const more = losses.length - shown.length;
  return [...shown.map((loss) => `! ${lossText(loss)}`), ...(more === 0 ? [] : [`! ${more} more: ${commandLine('llmc', 'report', id)}`])];
}
