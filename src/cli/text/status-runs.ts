import { sentence } from '../../base/sentence.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { cutToWidth } from '../../base/text-width.ts';
import type { StatusReport, WorkerReport } from '../../supervisor/report/status-report.ts';
import { chooseGroup, GROUPS } from '../../supervisor/report/worker-words.ts';
import { statusWords } from '../runs/text/runs-text.ts';

/** The whole question is in `llmc decide`. */
const LONGEST_QUESTION = 160;

/** A run that asks has no worker that does: the question would be in no row. */
export function askingLines({ runs }: Pick<StatusReport, 'runs'>): readonly string[] {
  return runs
    .filter(({ waiting_kind: kind }) => kind === 'person')
    .map(({ id, waiting_for: asked }) => {
      const question = sentence(cutToWidth(asked ?? '', LONGEST_QUESTION));
      return `! ${id}: ${question} Answer: ${commandLine('llmc', 'decide', id)}`;
    });
}

/** `run swarm-1: waits for you`, above its workers. */
export function runHeading(id: string, { runs }: Pick<StatusReport, 'runs'>): string {
  const run = runs.find((each) => each.id === id);
  return run === undefined ? `run ${id}` : `run ${id}: ${statusWords(run)}`;
}

/**
 * The workers of a run stand together. The runs, and the workers of no run, that need a person most are first; without that, the workers
 * of no run.
 */
export function inGroups(workers: readonly WorkerReport[], byUrgency: (one: WorkerReport, other: WorkerReport) => number) {
  const groups = [...Map.groupBy(workers, ({ run }) => run?.id ?? '')].map(([id, members]) => {
    const sorted = members.toSorted(byUrgency);
    return { id, sorted, urgency: Math.min(GROUPS.indexOf('working'), ...sorted.map((worker) => GROUPS.indexOf(chooseGroup(worker)))) };
  });
  return groups.toSorted((one, other) => one.urgency - other.urgency || one.id.localeCompare(other.id)).flatMap(({ sorted }) => sorted);
}
