import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import { commitsBetween } from '../../git/commits.ts';
import { isAncestor } from '../../git/inspect.ts';
import { followUpCommit } from '../../git/landing/follow-up.ts';
import { findTip, hasCommit, land } from '../../git/landing/land.ts';
import type { Landed } from '../../git/landing/landed.ts';
import { readSigning } from '../../git/landing/signing.ts';
import { messageOfAll } from '../../git/landing/words.ts';
import { outside } from '../../git/run.ts';
import { findLanding, type Landing, prepareBranch } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { requireLanded } from '../landing/require-landed.ts';
import { isValidated } from '../landing/validate-work.ts';
import { reviewedBefore } from '../review/reviewed-before.ts';
import { anotherBranch } from './another-branch.ts';

interface Putting {
  readonly branch: string;
  /** One commit, checked against the review. */
  readonly sha: string;
  /** What it builds on: a commit of main, or of the branch. */
  readonly main: string;
}

export type OnBranch =
  | { readonly kind: 'landed'; readonly how: 'merge' | 'push' | 'already-landed'; readonly commit: string }
  /** The branch has the change already. */
  | { readonly kind: 'nothing' }
  /** These files have not been validated. */
  | { readonly kind: 'validate'; readonly commit: string }
  | { readonly kind: 'moved' };

/** The commit for the branch, and the commit that its change is compared with. */
interface Made {
  readonly commit: string;
  readonly base: string;
}

/**
 * Puts a commit on a branch of the source that is not main. A missing branch is made, one that main contains moves forward, and one with
 * commits of its own gets the same change on top. Its commits are never replaced.
 */
export async function putOnBranch(context: WorkContext, config: Config, landing: Landing, putting: Putting): Promise<OnBranch> {
  const { git, layout, store } = context;
  const { source } = config.repo;
  const { root } = layout;
  const { branch, sha, main } = putting;
  const tip = await findTip(git, { source, root, branch });
  const isBelow = tip === null || (await hasCommit(git, source, tip, main));
  const made = isBelow ? { commit: sha, base: main } : await onTop(context, config, landing, { ...putting, tip });
  if (made === undefined) return { kind: 'nothing' };
  const { commit, base } = made;
  if (commit !== sha && !(await isValidated(context, config, landing.worker, commit))) return { kind: 'validate', commit };
  store.commit({
    worker: landing.worker,
    kind: 'accept',
    summary: `${commit.slice(0, 12)} for ${branch}, which is ${tip === null ? 'new' : `at ${tip.slice(0, 12)}`}`,
    rows: (database) => prepareBranch(database, landing.id, commit, tip),
  });
  fault('accept:before-branch');
  context.say(`Landing on ${branch}`);
  const { reviewed_patch_id: reviewed } = store.worker(landing.worker);
  const landed = await land(git, { source, root, branch, sha: commit, onto: tip, base, reviewed, elsewhere: true });
  if (landed.kind === 'moved') return { kind: 'moved' };
  if (landed.kind === 'changed' && commit !== sha) throw otherChange(landing.worker, branch);
  requireLanded(context, landing.worker, withNextStep(landed, landing.worker, branch), branch);
  fault('accept:after-branch');
  return { kind: 'landed', how: landed.kind === 'landed' ? landed.how : 'already-landed', commit };
}

/** Undefined if the branch has the change already. */
async function onTop(
  { git, layout, store }: WorkContext,
  config: Config,
  { id, worker, message }: Landing,
  { branch, sha, main, tip }: Putting & { readonly tip: string },
): Promise<Made | undefined> {
  const { source, attribution } = config.repo;
  const { root } = layout;
  const signing = await readSigning(git, source);
  const { work = null } = findLanding(store.database, id) ?? {};
  // Without the commits of the branch in the root, the work cannot be built on them.
  const isOnBranch = work !== null && (await isAncestor(outside(git), root, tip, work).catch(() => false));
  const own = isOnBranch ? await commitsBetween(outside(git), root, tip, work) : [];
  const onBranch = own.length === 0 ? undefined : { message: message ?? messageOfAll(own, attribution, reviewedBefore(store, worker)) };
  const made = await followUpCommit(git, { source, root, commit: sha, main, tip, signing, onBranch });
  switch (made.kind) {
    case 'nothing':
      return undefined;
    case 'made':
      // Work that began with the commits of the branch has their changes, too: the reviewer saw all of it, compared with main.
      return { commit: made.sha, base: made.sameFiles ? main : tip };
    case 'conflict':
      throw new LlmcError(
        'LANDING_REFUSED',
        `${branch} has commits that conflict with the work of ${worker}, in ${made.files.join(', ')}`,
        {
          hint: anotherBranch(worker, branch),
          details: made.files.join('\n'),
        },
      );
  }
}

function otherChange(worker: string, branch: string): LlmcError {
  return new LlmcError('PATCH_CHANGED', `${branch} has a part of the work of ${worker}: the rest alone is not what was reviewed`, {
    hint: anotherBranch(worker, branch),
  });
}

/** git says why a branch cannot be made; another name usually helps. */
function withNextStep(landed: Exclude<Landed, { kind: 'moved' }>, worker: string, branch: string): Exclude<Landed, { kind: 'moved' }> {
  if (landed.kind !== 'refused' || landed.todo !== undefined) return landed;
  return { ...landed, todo: `${anotherBranch(worker, branch)}; or fix that` };
}
