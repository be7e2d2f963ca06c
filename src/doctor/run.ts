import { LlmcError, messageOf } from '../base/error.ts';
import type { Processes } from '../base/ports.ts';
import { type Check, type CheckResult, type DoctorContext, type Finding, failed, warning } from './check.ts';

const TIMEOUT_MS = 15_000;

/** All checks at once; the answers come in the order of the list. A check that throws or hangs is an answer too. */
export function runDoctor(checks: readonly Check[], context: DoctorContext, timeoutMs = TIMEOUT_MS): Promise<readonly CheckResult[]> {
  return Promise.all(checks.map(async (check) => ({ name: check.name, ...(await answerOf(check, context, timeoutMs)) })));
}

async function answerOf(check: Check, context: DoctorContext, timeoutMs: number): Promise<Finding> {
  const over = new AbortController();
  const late = context.clock.sleep(timeoutMs, over.signal).then(
    () => failed(`no answer within ${timeoutMs / 1_000} s`, 'Run llmc doctor again; if it stays, look at the load and at the disk.'),
    () => failed('cancelled'),
  );
  try {
    const answer = check.run({ ...context, processes: stoppedBy(context.processes, over.signal) });
    return await Promise.race([answer, late]);
  } catch (error) {
    if (!(error instanceof LlmcError)) return failed(messageOf(error));
    // A machine without git is one trouble, not six.
    if (error.code === 'GIT_NOT_FOUND' && check.name !== 'git') return warning('not checked: git is not installed');
    return failed(error.message, error.hint);
  } finally {
    over.abort();
  }
}

/** What a check started ends with it. */
function stoppedBy(processes: Processes, signal: AbortSignal): Processes {
  return { run: (command, options) => processes.run(command, { ...options, signal }) };
}
