import { pastTime } from '../../base/clock-time.ts';
import { cutToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { userMessage } from '../../recovery/errors/error-texts.ts';
import { systemClock } from '../../system/clock.ts';
import { requireRun } from '../../workflow/control/require-run.ts';
import type { Run } from '../../workflow/model/run.ts';
import type { ErrorQuery } from '../../workflow/store/ports.ts';
import { readIfSound } from '../../workflow/store/read-if-sound.ts';
import { type ErrorContext, type ErrorEntry, type ErrorResolution, errorEntries } from '../../workflow/view/error-entry.ts';
import type { Display, Shell } from '../shell.ts';
import { type OpenRuns, openRuns } from './open-runs.ts';

/** What failed in runs. The names are part of the contract of `--json`. */
export interface ErrorLog {
  readonly log: readonly LogEntry[];
}

interface LogEntry {
  readonly run: string;
  readonly id: string;
  readonly at_ms: number;
  readonly code: string;
  readonly category: string;
  readonly severity: string;
  readonly stage: string;
  readonly role: string | null;
  readonly message: string;
  /** The same in words for a person. */
  readonly text: string;
  readonly details: string | null;
  readonly strategy: string | null;
  readonly recovered: boolean;
  readonly context: ErrorContext;
  readonly resolution: ErrorResolution;
}

const MOST_ENTRIES = 1_000;

export async function readErrorLog({ layout }: Pick<Shell, 'layout'>, query: Omit<ErrorQuery, 'limit'>): Promise<ErrorLog> {
  using opened = openRuns(layout);
  if (query.run !== undefined) await requireRun(opened.runs, query.run);
  const found = await opened.records.errorLog({ ...query, limit: MOST_ENTRIES });
  const entries = new Map<string, ErrorEntry>();
  const made = new Set<string>();
  for (const id of new Set(found.map((error) => error.run))) {
    const run = await readIfSound(opened.runs, id);
    if (run === undefined || run === 'unreadable') continue;
    for (const [error, entry] of await readEntryMap(opened, run)) entries.set(error, entry);
    for (const { address, state } of Object.values(run.steps)) if (state.kind === 'done') made.add(`${id} ${address}`);
  }
  // A stage that was made again after its failure, by a recovery of the run or by a person, has nothing open.
  const wanted = query.open === true ? found.filter(({ run, component }) => !made.has(`${run} ${component}`)) : found;
  return {
    log: wanted.map((error) => {
      const { run, id, at, code, category, severity, component: stage, role, message, details, strategy } = error;
      const recovered = error.outcome === 'recovered';
      const { context, resolution } = entries.get(id) ?? UNKNOWN;
      return {
        run,
        id,
        at_ms: at,
        code,
        category,
        severity,
        stage,
        role,
        message,
        text: userMessage(error),
        details,
        strategy,
        recovered,
        context,
        resolution,
      };
    }),
  };
}

/** Of a run whose record cannot be read. */
const UNKNOWN: Pick<ErrorEntry, 'context' | 'resolution'> = {
  context: { agent: null, role: null, item: null, attempt: null },
  resolution: { action_taken: null, successful: null },
};

/** By the id of the error. */
async function readEntryMap({ records }: OpenRuns, run: Run): Promise<ReadonlyMap<string, ErrorEntry>> {
  const errors = await records.errors(run.id);
  const entries = errorEntries(run, errors);
  return new Map(errors.flatMap(({ id: error }, index) => (entries[index] === undefined ? [] : [[error, entries[index]]])));
}

export function errorLogText({ log }: ErrorLog, { columns }: Pick<Display, 'columns'>): string {
  if (log.length === 0) return 'Nothing failed.';
  const now = systemClock.now();
  return log
    .map(({ run, at_ms, code, stage, text, strategy, recovered }) => {
      const after = [...(strategy === null ? [] : [strategy]), ...(recovered ? ['recovered'] : [])].join(', ');
      return cutToWidth(
        visibleLine(`${pastTime(at_ms, now)}  ${run}  ${stage}  ${code}: ${text}${after === '' ? '' : ` (${after})`}`),
        columns,
      );
    })
    .join('\n');
}
