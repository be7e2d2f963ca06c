import { LlmcError } from '../../base/error.ts';
import type { Proof } from '../../proof/proof.ts';
import { proveTree } from '../../proof/prove-tree.ts';
import type { TreeFile } from '../../proof/tree-file.ts';
import { type ObjectView, openObjectView } from '../object-view.ts';
import type { Git } from '../run.ts';
import { type FollowedFile, followFiles, isPlainMerge } from './follow-files.ts';
import { nameOrigins } from './name-origins.ts';
import { readExplanations } from './read-explanations.ts';
import { readVersions } from './read-versions.ts';
import { readTreeChanges } from './tree-changes.ts';

/** Hashes of commits in the root. */
export interface RebaseCommits {
  /** The merge base of the two sides before the rebase. */
  readonly base: string;
  /** Main's commit that the work was rebased onto. */
  readonly onto: string;
  /** The worker's commit before the rebase. */
  readonly head: string;
  /** The worker's commit after it. */
  readonly result: string;
  /** The files that a rule resolved. */
  readonly ruled?: readonly string[];
}

/** Files of a side that are read only to find out where that side moved lines to. */
const MOST_OTHERS = 400;

/** Proves which lines of both sides survived. Pass `outside(git)`: reads only objects in the root. */
export async function collectProof(git: Git, root: string, { base, onto, head, result, ruled = [] }: RebaseCommits): Promise<Proof> {
  for (const hash of [base, onto, head, result]) requireHash(hash);
  await using view = await openObjectView(root, base);
  const [trees, explanations] = await Promise.all([
    readTreeChanges(git, view, base, [onto, head, result]),
    readExplanations(git, view, onto, result),
  ]);
  const [main, worker, after] = trees;
  if (main === undefined || worker === undefined || after === undefined) throw new LlmcError('GIT_FAILED', 'git compared too few commits');
  const all = followFiles(main, worker, after);
  const [plain, others] = [all.filter(isPlainMerge), all.filter((file) => !isPlainMerge(file))];
  const isMerged = new Set(plain.map(({ result: entry }) => entry?.path));
  const options = {
    sameAsMain: all.every(isAsOnMain),
    explanations,
    ruled: new Set(ruled.filter((path) => !isMerged.has(path))),
  };
  const proof = proveTree(await readFiles(git, view, others), options);
  // A line that a side seems to delete may be in a file that only this side changed: it moved there, and the other's change should follow.
  const isDeletion = proof.replaced.some(({ how }) => how === 'deleted') || proof.notes.some(({ kind }) => kind === 'file_deleted');
  const whole = !isDeletion || plain.length > MOST_OTHERS ? proof : proveTree(await readFiles(git, view, [...others, ...plain]), options);
  return await nameOrigins(git, view, whole, { base, onto });
}

export function requireHash(hash: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hash)) throw new LlmcError('GIT_FAILED', `"${hash}" is not the hash of a commit`);
}

const isAsOnMain = ({ main, result }: FollowedFile): boolean =>
  main?.path === result?.path && main?.mode === result?.mode && main?.id === result?.id;

const VERSIONS = ['base', 'main', 'worker', 'result'] as const;

async function readFiles(git: Git, view: ObjectView, files: readonly FollowedFile[]): Promise<readonly TreeFile[]> {
  const entries = files.flatMap((file) => VERSIONS.map((version) => file[version])).filter((entry) => entry !== null);
  const version = await readVersions(git, view, entries);
  return files.map(({ base, main, worker, result }) => ({
    base: version(base),
    main: version(main),
    worker: version(worker),
    result: version(result),
  }));
}
