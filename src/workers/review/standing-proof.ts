import { exchange } from '../../git/exchange/exchange.ts';
import { collectStanding } from '../../git/rebase/collect-standing.ts';
import { outside } from '../../git/run.ts';
import { type Proof, proofSchema, verdictOf } from '../../proof/proof.ts';
import { withEarlier } from '../../proof/still-standing.ts';
import type { Worker } from '../../store/state.ts';
import { lastResolution, lastResolved, type Resolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';

type Context = Pick<WorkContext, 'git' | 'store' | 'layout'>;

/**
 * The proof of the conflict that was resolved in this work. Once the agent has committed something else, only what the proof had
 * found and the agent has not put right; undefined if that is nothing.
 */
export async function standingProof(context: Context, worker: Worker): Promise<Proof | undefined> {
  const { name, commit_sha, base_commit, attention } = worker;
  const last = lastResolution(context.store.database, name);
  // A clean rebase onto a newer main changes the commit, and not what the agent made of the conflict.
  if (last?.outcome === 'resolved' && (last.proven_commit === commit_sha || attention?.kind === 'resolved')) return proofOf(last);
  const earlier = foundEarlier(context, name);
  if (earlier === undefined || commit_sha === null) return undefined;
  await exchange(context.git, context.layout.root, worker.worktree_path);
  const standing = await standingOf(context, earlier, { onto: base_commit ?? earlier.proven, result: commit_sha });
  return verdictOf(standing) === 'clean' ? undefined : standing;
}

/** Adds to the proof of a second conflict what the first one of the same work has lost: to git, that is a wish of the worker. */
export async function withEarlierLosses(context: Context, row: Resolution, result: string, proof: Proof): Promise<Proof> {
  const earlier = foundEarlier(context, row.worker);
  if (earlier === undefined) return proof;
  return withEarlier(proof, earlier.proof, await standingOf(context, earlier, { onto: row.onto, result }));
}

interface Earlier {
  readonly proven: string;
  readonly proof: Proof;
}

function foundEarlier({ store }: Context, name: string): Earlier | undefined {
  const row = lastResolved(store.database, name);
  const proof = row && proofOf(row);
  if (proof === undefined || row?.proven_commit == null || verdictOf(proof) === 'clean') return undefined;
  return { proven: row.proven_commit, proof };
}

const standingOf = ({ git, layout }: Context, { proven, proof }: Earlier, now: { readonly onto: string; readonly result: string }) =>
  collectStanding(outside(git), layout.root, proof, { proven, ...now });

const proofOf = ({ proof }: Resolution): Proof | undefined => (proof === null ? undefined : proofSchema.parse(JSON.parse(proof)));
