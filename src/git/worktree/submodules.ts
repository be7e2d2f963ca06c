import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { endOperation } from '../rebase/operation.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { typedGit } from '../typed-git.ts';
import type { Entered, Repository } from './enter-nested.ts';
import { lookAt, type Nested, readGitlinks } from './nested.ts';
import { hasSubmodules } from './submodule-status.ts';

/** Not `git submodule update`: it runs git in the submodule with the submodule's own configuration. */
const moveCall = (at: string, sha: string, ...how: readonly '--force'[]): GitCall =>
  write(at, 'checkout', '--quiet', '--no-recurse-submodules', ...how, '--detach', sha, '--');
const hasCommitCall = (at: string, sha: string): GitCall => read(at, 'cat-file', '-e', '--end-of-options', `${sha}^{commit}`);
const headCall = (at: string): GitCall => read(at, 'rev-parse', '--quiet', '--verify', 'HEAD');
/** The second `--force` also deletes nested repositories. Without `-x`, ignored files such as node_modules stay. */
export const cleanCall = (worktree: string): GitCall => write(worktree, 'clean', '--quiet', '--force', '--force', '-d');

/** Lists the submodules of this worktree that are not checked out. */
export async function emptySubmodules(git: Git, worktree: string): Promise<string[]> {
  if (!(await hasSubmodules(git, worktree))) return [];
  const empty: string[] = [];
  for (const path of (await readGitlinks({ git, at: worktree })).keys()) {
    if ((await git.files.kindBeneath(worktree, `${path}/.git`)) === 'missing') empty.push(path);
  }
  return empty;
}

/** Moves the checked-out submodules to the recorded commits. A submodule with conflicting changes stays as it is. */
export async function followSubmodules(git: Git, worktree: string): Promise<void> {
  if (!(await hasSubmodules(git, worktree))) return;
  await eachSubmodule({ git, at: worktree }, worktree, '', async (nested) => {
    if (nested.kind !== 'repository' || nested.inside.ofWorker) return;
    const { git: inner, at } = nested.inside;
    if ((await inner.run(headCall(at))).stdout.trim() === nested.recorded) return;
    await obtain(nested.inside, nested.recorded);
    // A submodule that did not move is a change of this worktree, which the next accept or rebase reports.
    await inner.run(moveCall(at, nested.recorded));
  });
}

/** Resets the checked-out submodules by force and deletes untracked files in them. Rescue first. */
export async function resetSubmodules(git: Git, worktree: string): Promise<void> {
  await eachSubmodule({ git, at: worktree }, worktree, '', async (nested) => {
    if (nested.kind === 'closed') throw notEntered(worktree, nested.path, nested.why);
    // A second worktree of the root has its HEAD in the root, where it may be that of another worker.
    if (nested.kind === 'folder' || nested.inside.ofWorker) return git.files.emptyBeneath(worktree, nested.path);
    const { git: inner, at } = nested.inside;
    await endOperation(inner, at);
    await obtain(nested.inside, nested.recorded);
    const call = moveCall(at, nested.recorded, '--force');
    const answer = await inner.run(call);
    if (answer.status !== 0) throw gitFailed(call, answer, `Fix it by hand, then try again: ${updateCommand(worktree)}`);
    await inner.ok(cleanCall(at));
  });
}

type Recorded = Nested & { readonly recorded: string };

/** Visits the checked-out submodules, the outer one before those that its new commit has inside. */
async function eachSubmodule(
  around: Repository,
  worktree: string,
  prefix: string,
  visit: (nested: Recorded) => Promise<void>,
): Promise<void> {
  for (const [path, recorded] of await readGitlinks(around)) {
    const nested = await lookAt(around, worktree, `${prefix}${path}`, recorded);
    if (nested === undefined) continue;
    await using inside = nested.kind === 'repository' ? nested.inside : undefined;
    await visit({ ...nested, recorded });
    if (inside !== undefined && !inside.ofWorker) await eachSubmodule(inside, worktree, `${nested.path}/`, visit);
  }
}

/** Fetches a recorded commit that the submodule does not have. Without it, the checkout that follows fails with git's reason. */
async function obtain({ git, at, remotes }: Entered, sha: string): Promise<void> {
  if ((await git.run(hasCommitCall(at, sha))).status === 0) return;
  for (const address of new Set([remotes.get('origin'), ...remotes.values()])) {
    if (address !== undefined && (await git.run(fetchCall(at, address, sha))).status === 0) return;
  }
}

const updateCommand = (worktree: string): string => typedGit(worktree, 'submodule', 'update', '--init', '--force', '--recursive');

function notEntered(worktree: string, path: string, why: string): LlmcError {
  return new LlmcError('WORK_NOT_SAVED', `llmc does not run git in ${path}: ${why}`, {
    hint: `Look at it, delete it, then try again: ${commandLine('rm', '-rf', '--', `${worktree}/${path}`)}`,
  });
}
