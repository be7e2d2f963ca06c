import { compareVersions } from '../../agents/versions.ts';
import { LlmcError } from '../../base/error.ts';

/**
 * The number of what every llmc understands from every other one: the greeting, `down` and `handOver`. It changes only if one of
 * these three changes.
 */
export const PROTOCOL = 1;

/** The requests that a supervisor takes from a caller of another version: without them, an upgrade could not stop the old supervisor. */
const BETWEEN_VERSIONS: readonly string[] = ['down', 'handOver'];

/** What a process says about itself in a greeting or in a request. The first versions of llmc did not say it. */
export interface Introduction {
  readonly version?: string | undefined;
  readonly protocol?: number | undefined;
}

/** Whether a caller and a supervisor understand each other in this request. */
export function understand(caller: Introduction, supervisor: Introduction, request: string): boolean {
  if (supervisor.version === undefined || caller.version === undefined) return false;
  if (supervisor.version === caller.version) return true;
  return supervisor.protocol === caller.protocol && BETWEEN_VERSIONS.includes(request);
}

/** The error for a request that the other version may misunderstand. Each side can render it, so both say the same. */
export function otherVersionError(caller: string, supervisor: string | undefined): LlmcError {
  if (supervisor !== undefined && compareVersions(supervisor, caller) > 0)
    return new LlmcError('SUPERVISOR_OTHER_VERSION', `the supervisor runs llmc ${supervisor}, and this is the older llmc ${caller}`, {
      hint: `Use llmc ${supervisor} for this root; llmc down stops the supervisor`,
    });
  const version = supervisor === undefined ? 'an older llmc' : `llmc ${supervisor}`;
  return new LlmcError('SUPERVISOR_OTHER_VERSION', `the supervisor runs ${version}, and this is llmc ${caller}`, {
    hint: 'llmc up --replace --detach puts this version in its place, and the agents keep running',
  });
}
