import { LlmcError } from '../base/error.ts';
import type { Layout } from '../store/layout.ts';
import { isSupervised } from './api/client.ts';
import { readOwner } from './ownership/owner-file.ts';

/** A root has one supervisor: the error names the first one to a second. */
export async function refuseSecondSupervisor(layout: Layout): Promise<void> {
  if (await isSupervised(layout.apiSocket, layout.owner)) throw runningError(layout);
}

export function runningError(layout: Layout): LlmcError {
  const pid = readOwner(layout.owner)?.pid;
  return new LlmcError(
    'SUPERVISOR_RUNNING',
    `a supervisor is running for ${layout.root} already${pid === undefined ? '' : `: process ${pid}`}`,
    {
      hint: 'llmc status shows it, llmc down stops it, llmc up --replace takes its place',
    },
  );
}
