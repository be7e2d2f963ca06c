import { describeError, LlmcError } from '../../base/error.ts';
import { localDay } from '../../base/local-day.ts';
import { type LenientConfig, readConfigLeniently } from '../../config/read-config-leniently.ts';
import { stalledSince } from '../../recovery/decide-stall.ts';
import { type Database, isDamage, openReadOnly, prepared } from '../../store/database.ts';
import type { Layout } from '../../store/layout.ts';
import { readStateFileLeniently } from '../../store/read-state-leniently.ts';
import { deliverySummary } from '../../store/tables/delivery-summary.ts';
import { draftCounts } from '../../store/tables/draft-counts.ts';
import { failingServices } from '../../store/tables/failing-services.ts';
import { tamperingSince } from '../../store/tables/history.ts';
import { givenNumber, queueLength } from '../../store/tables/queue-facts.ts';
import { type Spent, spentOn } from '../../store/tables/spending.ts';
import { inSeconds, type StatusReport, type SupervisorFacts, statusReport } from '../../supervisor/report/status-report.ts';
import { readText } from '../../system/files/files.ts';
import type { RunLine } from '../../workflow/view/run-view.ts';
import type { Shell } from '../shell.ts';

export async function statusFromDisk(shell: Shell, silence?: LlmcError): Promise<StatusReport> {
  const { layout } = shell;
  const { text, problem: invalid } = await textInForce(layout);
  const lenient = readConfigLeniently(text);
  const { modelOf, accountOf } = lenient;
  const { state, problem: stateProblem } = readStateFileLeniently(layout);
  const { source, branch, problem: configProblem } = await placeFrom(shell, lenient);
  const { database, problem: databaseProblem } = openIfSound(layout.database);
  try {
    return statusReport({
      root: layout.root,
      source,
      branch,
      problems: [
        silence && `${silence.message}; the following is from disk – ${silence.hint}`,
        invalid,
        configProblem,
        stateProblem,
        databaseProblem,
      ],
      supervisor: silence === undefined ? NOT_RUNNING : await silentSupervisor(layout.owner, database),
      state,
      tamperingSince: (moment) => (database === undefined ? undefined : tamperingSince(database, moment)),
      deliveryOf: (worker) => (database === undefined ? null : deliverySummary(database, worker)),
      taskOf: (worker) => (database === undefined ? null : givenNumber(database, worker)),
      modelOf,
      accountOf,
      now: Date.now(),
      services: database && failingServices(database),
      queued: database && queueLength(database),
      drafts: database && draftCounts(database),
      spentToday: database && spentToday(database),
      runs: database && hasOpenRuns(database) ? await openRunLines(shell) : [],
      watchedOf: () => undefined,
    });
  } catch (error) {
    // Only the shape of the state was checked, and an agent may have written it: a field below can still be of another kind.
    if (error instanceof LlmcError) throw error;
    throw new LlmcError('STATE_INVALID', `${layout.state} cannot be shown: ${describeError(error)}`, { hint: 'llmc doctor', cause: error });
  } finally {
    database?.close();
  }
}

function spentToday(database: Database): Spent {
  return spentOn(database, localDay(Date.now()));
}

/** Most roots have no open run, and `llmc status` must start fast: their records are read only if there is one. */
function hasOpenRuns(database: Database): boolean {
  return prepared(database, 'SELECT 1 FROM runs WHERE ended_ms IS NULL LIMIT 1').get() !== undefined;
}

async function openRunLines(shell: Shell): Promise<readonly RunLine[]> {
  const { readRunLines } = await import('../runs/read-runs.ts');
  return (await readRunLines(shell)).filter(({ ended_ms }) => ended_ms === null);
}

const NOT_RUNNING: SupervisorFacts = { running: false, pid: null, since_unix: null, stalled_since_unix: null };

async function silentSupervisor(ownerFile: string, database: Database | undefined): Promise<SupervisorFacts> {
  const { readOwner } = await import('../../supervisor/ownership/owner-file.ts');
  const owner = readOwner(ownerFile);
  const { lastHeartbeat } = await import('../../store/tables/heartbeat.ts');
  const stalled = stalledSince(database && lastHeartbeat(database)?.at, Date.now());
  return { running: true, pid: owner?.pid ?? null, since_unix: owner?.since_unix ?? null, stalled_since_unix: inSeconds(stalled) };
}

/** Without the database, the report lacks only the undelivered prompts: the statuses of the workers are in state.json. */
function openIfSound(path: string): { database?: Database; problem?: string } {
  try {
    return { database: openReadOnly(path) };
  } catch (error) {
    if (!(error instanceof LlmcError)) throw error;
    // Every problem is shown with a pointer to llmc doctor, so only the repair of a damaged file adds a command.
    const repair = isDamage(error.cause) ? ` – ${error.hint}` : '';
    return { problem: `${error.message}; undelivered prompts are not shown${repair}` };
  }
}

/** Loads the schema only for a config.toml that differs from the last valid one, because that slows down the start. */
export async function textInForce(layout: Layout): Promise<{ text: string; problem?: string }> {
  const text = readIfReadable(layout.config);
  if (text !== undefined && text === readIfReadable(layout.validConfig)) return { text };
  const { loadConfigInForce, invalidConfigText } = await import('../../config/in-force.ts');
  const inForce = await loadConfigInForce(layout.root).catch(() => undefined);
  if (inForce === undefined) return { text: text ?? '' };
  return { text: inForce.text, ...(inForce.invalid && { problem: invalidConfigText(inForce.invalid, Date.now()) }) };
}

function readIfReadable(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

/** Loads the schema and runs git only if the lenient reader does not find the source, because that slows down the start. */
async function placeFrom(
  { root }: Shell,
  lenient: LenientConfig,
): Promise<{ source: string; branch: string; problem?: string | undefined }> {
  if (lenient.source !== '' && lenient.branch !== '') return { source: lenient.source, branch: lenient.branch };
  const { landingPlace } = await import('../../workers/landing/landing-place.ts');
  const { loadConfigInForce } = await import('../../config/in-force.ts');
  const { openGit } = await import('../../git/run.ts');
  const { systemProcesses } = await import('../../system/processes/processes.ts');
  const config = async () => (await loadConfigInForce(root)).config;
  return await landingPlace({ git: openGit(systemProcesses), config }, lenient);
}
