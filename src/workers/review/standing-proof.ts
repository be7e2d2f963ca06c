import { type Proof, proofSchema } from '../../proof/proof.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { lastResolution } from '../../store/tables/resolutions.ts';

/** The proof of the conflict that was resolved in this work; undefined once the agent has committed something else. */
export function standingProof(database: Database, { name, commit_sha, attention }: Worker): Proof | undefined {
  const last = lastResolution(database, name);
  if (last === undefined || last.proof === null || last.outcome !== 'resolved') return undefined;
  // A clean rebase onto a newer main changes the commit, and not what the agent made of the conflict.
  if (last.proven_commit !== commit_sha && attention?.kind !== 'resolved') return undefined;
  return proofSchema.parse(JSON.parse(last.proof));
}
