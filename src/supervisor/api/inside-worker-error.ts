import { LlmcError } from '../../base/error.ts';
import type { Inside } from '../../terminal/session-above.ts';

/** The hint does not name the option that permits it: an agent reads it, and could set the option. */
export function insideWorkerError(verb: string, { worker }: Inside): LlmcError {
  const by = worker === undefined ? 'it was run inside the session of a worker' : `worker ${worker} ran it`;
  return new LlmcError('INSIDE_WORKER', `"llmc ${verb}" is for a person only, and ${by}`, {
    hint: 'Run it in your own terminal, outside the sessions of the workers.',
  });
}
