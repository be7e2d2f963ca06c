import type { Layout } from '../../store/layout.ts';
import { canChallenge } from '../../system/processes/identity.ts';
import { readKin } from '../../system/processes/lineage.ts';
import { sessionAbove } from '../../terminal/session-above.ts';
import type { Call } from './server.ts';

/**
 * Who reads what a caller prints: the session of the system that it runs in, which is the same for all commands of one terminal. The
 * environment of an agent makes another reader. Undefined if the caller does not prove which process it is. Where no process can
 * (macOS), the shell that the caller names.
 */
export async function nameReader(layout: Layout, { provenPid, parent }: Pick<Call, 'provenPid' | 'parent'>): Promise<string | undefined> {
  if (!canChallenge()) return parent === undefined ? undefined : `child of ${parent}`;
  const pid = await provenPid();
  const session = pid === undefined ? undefined : readKin(pid)?.session;
  if (pid === undefined || session === undefined) return undefined;
  // The number of a session can come back once all of its processes have ended.
  const began = readKin(session)?.started ?? 0;
  return `session ${session} of ${began}${sessionAbove(pid, layout) === undefined ? '' : ', inside'}`;
}
