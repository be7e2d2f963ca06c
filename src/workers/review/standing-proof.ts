import { exchange } from '../../git/exchange/exchange.ts';
import { isAncestor } from '../../git/inspect.ts';
import { collectProof } from '../../git/rebase/collect-proof.ts';
import { collectStanding } from '../../git/rebase/collect-standing.ts';
import { outside } from '../../git/run.ts';
import { laterProof } from '../../proof/later-proof.ts';
import { type Proof, proofSchema } from '../../proof/proof.ts';
import { withEarlier } from '../../proof/still-standing.ts';
import { countAltered, countLost, judgeProof } from '../../proof/verdict.ts';
import type { Worker } from '../../store/state.ts';
import { findResolution, type Resolution, updateResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';

/**
 * The proof of the conflict that was resolved in this work, for the commit `head`. Made again if that is not the proven one, because
 * the agent has committed since or llmc has put the work on a newer main. Work that had no conflict has none, and costs no process.
 */
export async function standingProof(context: WorkContext, worker: Worker, head: string): Promise<Proof | undefined> {
  const { git, layout, store } = context;
  const earlier = await earlierProof(context, worker);
  if (earlier === undefined || earlier.proven === head) return earlier?.proof;
  const { row, proven, proof: before } = earlier;
  await exchange(git, layout.root, worker.worktree_path);
  const onto = worker.base_commit ?? row.onto;
  const standing = await collectStanding(outside(git), layout.root, before, { proven, onto, result: head });
  const proof = laterProof(standing, await provenNow(context, row, { at: worker.worktree_path, onto, head }));
  store.commit({
    worker: worker.name,
    kind: 'rebase',
    summary: `${head.slice(0, 12)} builds on a resolved conflict; ${proofInWords(proof)}`,
    rows: (database) => updateResolution(database, row.id, { proven_commit: head, proof: JSON.stringify(proof) }),
  });
  return proof;
}

interface Now {
  readonly at: string;
  readonly onto: string;
  readonly head: string;
}

/** Undefined for a branch that is not on main's commit: the next rebase meets the conflict again. */
async function provenNow(context: WorkContext, row: Resolution, { at, onto, head }: Now): Promise<Proof | undefined> {
  const git = outside(context.git);
  if (!(await isAncestor(git, at, onto, head))) return undefined;
  return await collectProof(git, context.layout.root, { base: row.base, onto, head: row.head, result: head, ruled: row.ruled });
}

/** The rescue of the work from before its conflict, if the result lacks something of it. */
export function rescueOfBefore({ store }: WorkContext, { resolution }: Worker, lacks: boolean): string | undefined {
  const row = resolution === null || !lacks ? undefined : findResolution(store.database, resolution);
  return row?.rescue ?? undefined;
}

/** Adds to the proof of a second conflict what the first one of the same work has lost: to git, that is a wish of the worker. */
export async function withEarlierLosses(context: WorkContext, row: Resolution, result: string, proof: Proof): Promise<Proof> {
  const { git, layout, store } = context;
  const earlier = await earlierProof(context, store.worker(row.worker));
  if (earlier === undefined || judgeProof(earlier.proof) === 'clean') return proof;
  const since = { proven: earlier.proven, onto: row.onto, result };
  return withEarlier(proof, earlier.proof, await collectStanding(outside(git), layout.root, earlier.proof, since));
}

interface Earlier {
  readonly row: Resolution;
  readonly proven: string;
  readonly proof: Proof;
}

async function earlierProof({ store }: WorkContext, { resolution }: Worker): Promise<Earlier | undefined> {
  const row = resolution === null ? undefined : findResolution(store.database, resolution);
  if (row === undefined || row.proof === null || row.proven_commit === null) return undefined;
  return { row, proven: row.proven_commit, proof: proofSchema.parse(JSON.parse(row.proof)) };
}

/** For the history. */
export function proofInWords(proof: Proof): string {
  const [lost, altered] = [countLost(proof), countAltered(proof)];
  if (lost > 0) return `lost: ${lost}`;
  return altered === 0 ? 'no line is lost' : `replaced, moved or added: ${altered}`;
}
