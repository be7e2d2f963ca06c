import { type Git, type GitCall, gitFailed, write } from '../run.ts';
import { type IdentityEnv, identityEnv } from '../source/identity.ts';
import { followSubmodules } from '../worktree/submodules.ts';
import { CONFLICT_STYLE } from './conflict/repeat-merge.ts';
import { rebaseInProgress } from './operation.ts';
import { overwrittenFiles } from './overwritten.ts';
import { PLAIN_REBASE, REBASE } from './rebase.ts';

export type BegunRebase =
  /** Every commit is on the new base. */
  | { readonly kind: 'over' }
  /** The rebase is in progress: an agent resolves what it stopped at, or rerere has done so. */
  | { readonly kind: 'stopped' }
  /** Nothing has changed: these files are in the way. */
  | { readonly kind: 'dirty'; readonly files: readonly string[] };

export interface RebasePlan {
  /** The new base. */
  readonly onto: string;
  /** Commits after this one are moved. */
  readonly after: string;
  readonly branch: string;
}

/** A resolution that git has recorded is staged at once, so that llmc need not ask for it again. */
const REPLAY = ['-c', 'rerere.enabled=true', '-c', 'rerere.autoUpdate=true'];

export const beginRebaseCall = (worktree: string, { onto, after, branch }: RebasePlan, env: IdentityEnv = {}): GitCall => ({
  ...write(worktree, ...PLAIN_REBASE, ...REPLAY, ...CONFLICT_STYLE, ...[...REBASE, '--onto', onto, '--end-of-options', after, branch]),
  env,
});

/** Starts a rebase and leaves it in progress where it stops. */
export async function beginRebase(git: Git, worktree: string, plan: RebasePlan): Promise<BegunRebase> {
  git.guard?.beforeRebase(worktree);
  const answer = await git.run(beginRebaseCall(worktree, plan, await identityEnv(git, worktree)));
  if (answer.status === 0) {
    await followSubmodules(git, worktree);
    return { kind: 'over' };
  }
  if (await rebaseInProgress(git, worktree)) return { kind: 'stopped' };
  const files = overwrittenFiles(answer.stderr);
  if (files.length > 0) return { kind: 'dirty', files };
  throw gitFailed(beginRebaseCall(worktree, plan), answer);
}
