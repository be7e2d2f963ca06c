import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { openReadOnly } from '../../store/database.ts';
import { type Landing, newestLanding } from '../../store/tables/landings.ts';
import { systemClock } from '../../system/clock.ts';
import { acceptCommand } from '../../workers/branch/accept-command.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';

/** A validation that is ended takes its children with it before the landing is given up. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

/** Lands work. Ctrl+C, SIGTERM or a closed terminal cancels that, and the error says what became of it. */
export async function orCancelled<Result>(shell: Shell, worker: string | undefined, land: () => Promise<Result>): Promise<Result> {
  const signal = interruption();
  const began = systemClock.now();
  try {
    return await land();
  } catch (error) {
    // Without a supervisor, this process has given the landing up itself.
    if (!signal.aborted || (error instanceof LlmcError && error.code === 'CANCELLED')) throw error;
    throw cancelledError(worker, await whatBecame(shell, began, worker));
  }
}

/** Waits until the supervisor has given the landing up. Undefined if none had begun. */
async function whatBecame({ layout }: Shell, began: number, worker: string | undefined): Promise<Landing | undefined> {
  const until = systemClock.now() + PATIENCE_MS;
  for (;;) {
    using database = openReadOnly(layout.database);
    const landing = newestLanding(database, began, worker);
    if (landing === undefined || landing.phase === 'settled' || systemClock.now() > until) return landing;
    await systemClock.sleep(LOOK_MS);
  }
}

function cancelledError(named: string | undefined, landing: Landing | undefined): LlmcError {
  const worker = landing?.worker ?? named;
  if (worker === undefined) return new LlmcError('CANCELLED', 'nothing landed', { hint: 'llmc status' });
  if (landing?.outcome === 'landed')
    return new LlmcError('CANCELLED', `the work of ${worker} had landed already`, { hint: commandLine('llmc', 'undo', worker) });
  if (landing !== undefined && landing.phase !== 'settled')
    return new LlmcError('CANCELLED', `if the commit has not landed, ${worker} keeps it`, { hint: 'llmc status' });
  return new LlmcError('CANCELLED', `nothing landed; the work of ${worker} still waits for review`, {
    hint: acceptCommand(worker, landing?.branch),
  });
}
