import { LlmcError } from '../base/error.ts';
import { toKnownError } from '../base/known-error.ts';
import type { Processes } from '../base/ports.ts';
import { type Check, type CheckResult, type DoctorContext, type Finding, failed, warning } from './check.ts';

const TIMEOUT_MS = 15_000;

/** Runs all checks in parallel; the results have the order of the list. A check that throws or hangs gives a failed result. */
export function runDoctor(checks: readonly Check[], context: DoctorContext, timeoutMs = TIMEOUT_MS): Promise<readonly CheckResult[]> {
  return Promise.all(checks.map(async (check) => ({ name: check.name, ...(await runInTime(check, context, timeoutMs)) })));
}

async function runInTime(check: Check, context: DoctorContext, timeoutMs: number): Promise<Finding> {
  const over = new AbortController();
  const late = context.clock.sleep(timeoutMs, over.signal).then(
    () =>
      failed(
        `no answer within ${timeoutMs / 1_000} s`,
        'Run llmc doctor again. If it fails again, check the load and the disk of this machine.',
      ),
    () => failed('cancelled'),
  );
  try {
    const answer = check.run({ ...context, processes: stoppedBy(context.processes, over.signal) });
    return await Promise.race([answer, late]);
  } catch (error) {
    if (!(error instanceof LlmcError)) return unexpected(error);
    // Report a missing git once, not six times.
    if (error.code === 'GIT_NOT_FOUND' && check.name !== 'git') return warning('not checked: git is not installed');
    return failed(error.message, error.hint);
  } finally {
    over.abort();
  }
}

/** A file in the place of a folder is the finding of the places check, and stops the others. */
function unexpected(error: unknown): Finding {
  const { code, message, hint } = toKnownError(error);
  return code === 'FILESYSTEM_ERROR' ? warning(`not checked: ${message}`, 'llmc doctor --repair') : failed(message, hint);
}

/** Ends the processes of a check together with the check. */
function stoppedBy(processes: Processes, signal: AbortSignal): Processes {
  return { run: (command, options) => processes.run(command, { ...options, signal }) };
}
