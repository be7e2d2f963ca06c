import { LlmcError } from '../../base/error.ts';
import type { WorkContext } from '../context.ts';

/** Refuses to judge a command line that ended because llmc ends: the agent has no part in that. The next supervisor runs it again. */
export function requireNotStopped({ signal }: Pick<WorkContext, 'signal'>): void {
  if (signal.aborted)
    throw new LlmcError('CANCELLED', 'llmc stops; the next llmc up continues the resolution', { hint: 'llmc up --detach' });
}
