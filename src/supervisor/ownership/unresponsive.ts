import { LlmcError } from '../../base/error.ts';
import { lookAtProcess } from '../../system/processes/process-look.ts';
import { trySignal } from '../../system/processes/signal.ts';
import { readOwner } from './owner-file.ts';

/** A machine with ten times the load takes ten times as long; llmc only gives up early on a process that is certainly stopped. */
const PATIENCE_MS = 30_000;

/** The error for a caller that has waited this long for the supervisor's greeting; undefined while the caller should keep waiting. */
export function unresponsiveError(ownerFile: string, waitedMs: number): LlmcError | undefined {
  const owner = readOwner(ownerFile);
  const pid = owner?.pid;
  const who = pid === undefined ? 'the supervisor' : `the supervisor, process ${pid},`;
  if (pid !== undefined && lookAtProcess(pid)?.stopped === true)
    return new LlmcError('SUPERVISOR_SILENT', `${who} does not answer: it was stopped, as by Ctrl+Z`, {
      hint: `kill -CONT ${pid}, or fg in its terminal; or llmc up --replace --detach, which puts a new one in its place: the agents keep running`,
    });
  // The first versions neither greeted nor wrote their version, so none of them will answer.
  if (owner?.what === 'up' && owner.version === undefined)
    return new LlmcError('SUPERVISOR_OTHER_VERSION', `${who} runs an older llmc, which this one cannot ask anything`, {
      hint: 'llmc up --replace --detach puts this version in its place, and the agents keep running',
    });
  if (waitedMs < PATIENCE_MS) return undefined;
  return new LlmcError('SUPERVISOR_SILENT', `${who} has not answered for ${Math.round(waitedMs / 1_000)} s`, {
    hint: 'Try again if the machine is busy; or llmc up --replace --detach, which puts a new one in its place: the agents keep running',
  });
}

/** Ends a supervisor that does not answer. The kernel then frees its lock, and its sessions live on for the next owner. */
export function killUnresponsive(ownerFile: string): void {
  const owner = readOwner(ownerFile);
  // Another process may have the same number by now.
  const isOurs = owner?.what === 'up' && /\bllmc\b.*\bup\b/.test(lookAtProcess(owner.pid)?.command ?? '');
  if (owner !== undefined && isOurs && trySignal(owner.pid, 'SIGKILL')) return;
  throw new LlmcError(
    'SUPERVISOR_SILENT',
    `the process behind ${ownerFile} does not answer, and llmc cannot identify it as its supervisor`,
    {
      hint: 'Find the process "llmc up" and end it yourself.',
    },
  );
}
