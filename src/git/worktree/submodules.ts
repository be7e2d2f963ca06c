import { join } from 'node:path';
import { commandLine } from '../../base/shell-quote.ts';
import { endOperation } from '../rebase/operation.ts';
import { type Answer, type Git, type GitCall, gitFailed, write } from '../run.ts';
import { findNested, gitlinksOf } from './nested.ts';

/** `--checkout` overrides a configured merge or rebase into what the agent left. Without `--init`, an empty submodule stays empty. */
const updateCall = (worktree: string, paths: readonly string[], ...how: readonly '--force'[]): GitCall =>
  write(worktree, 'submodule', '--quiet', 'update', '--checkout', '--recursive', ...how, '--', ...paths);
/** The second `--force` also deletes nested repositories. Without `-x`, ignored files such as node_modules stay. */
export const cleanCall = (worktree: string): GitCall => write(worktree, 'clean', '--quiet', '--force', '--force', '-d');

const hasSubmodules = (git: Git, worktree: string): Promise<boolean> => git.files.exists(join(worktree, '.gitmodules'));

/** Lists the submodules of this worktree that are not checked out. */
export async function emptySubmodules(git: Git, worktree: string): Promise<string[]> {
  return (await submodulesOf(git, worktree)).empty;
}

/** Moves the checked-out submodules to the recorded commits. A submodule with conflicting changes stays as it is. */
export async function followSubmodules(git: Git, worktree: string): Promise<void> {
  const { present } = await submodulesOf(git, worktree);
  // A submodule that did not move is a change of this worktree, which the next accept or rebase reports.
  if (present.length > 0) await git.run(updateCall(worktree, present));
}

/** Resets the checked-out submodules by force and deletes untracked files in them. Rescue first. */
export async function resetSubmodules(git: Git, worktree: string): Promise<void> {
  if (!(await hasSubmodules(git, worktree))) return;
  const { present } = await submodulesOf(git, worktree);
  for (const { kind, at, recorded } of await findNested(git, worktree)) {
    if (recorded === undefined) continue;
    if (kind === 'folder') for (const name of await git.files.entries(at)) await git.files.remove(join(at, name));
    else await endOperation(git, at);
  }
  if (present.length === 0) return;
  const call = updateCall(worktree, present, '--force');
  const answer = await git.run(call);
  if (answer.status !== 0) throw notUpdated(worktree, call, answer);
  for (const { at } of await findNested(git, worktree)) await git.ok(cleanCall(at));
}

async function submodulesOf(git: Git, worktree: string): Promise<{ present: string[]; empty: string[] }> {
  const [present, empty]: [string[], string[]] = [[], []];
  if (!(await hasSubmodules(git, worktree))) return { present, empty };
  for (const path of (await gitlinksOf(git, worktree)).keys()) {
    const list = (await git.files.exists(join(worktree, path, '.git'))) ? present : empty;
    list.push(path);
  }
  return { present, empty };
}

function notUpdated(worktree: string, call: GitCall, answer: Answer) {
  return gitFailed(
    call,
    answer,
    `Fix it by hand, then try again: ${commandLine('git', '-C', worktree, 'submodule', 'update', '--init', '--force', '--recursive')}`,
  );
}
