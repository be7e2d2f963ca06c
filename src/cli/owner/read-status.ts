import type { LlmcError } from '../../base/error.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import type { Shell } from '../shell.ts';
import { askSupervisorIfAny } from './owner.ts';
import { statusFromDisk } from './status-from-disk.ts';

/** `inWords`: the caller prints it for a person. Asks the supervisor, which knows what the agents are doing; without a supervisor, reads the state from disk. */
export async function readStatusReport(shell: Shell, inWords = false): Promise<StatusReport> {
  const silent: LlmcError[] = [];
  const answered = await askSupervisorIfAny(shell, 'status', { inWords }, (error) => silent.push(error));
  if (answered !== undefined) return answered.result;
  return await statusFromDisk(shell, silent[0]);
}
