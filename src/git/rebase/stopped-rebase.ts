import { basename, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { type Commit, commitsBetween } from '../commits.ts';
import { isAncestor } from '../inspect.ts';
import { type Git, type GitCall, outside, read, splitZ } from '../run.ts';
import { ownStatus } from '../worktree/status.ts';
import type { Rebasing } from './conflict/facts.ts';
import { unfinishedOperation } from './operation.ts';

/** What git itself says about a rebase that an agent works on. */
export type GitSituation =
  | {
      readonly kind: 'stopped';
      /** One of the worker's commits; undefined if git's record, which the agent can write, names another. */
      readonly commit: string | undefined;
      readonly head: string;
      readonly unmerged: readonly string[];
      readonly unstaged: readonly string[];
    }
  | { readonly kind: 'over'; readonly at: 'old' | 'onto-main' | 'elsewhere'; readonly head: string; readonly branch: string | undefined };

/** Compares contents: `diff-files` would list each file whose time changed, such as one that a rule wrote (git 2.39). */
const unstagedCall = (worktree: string): GitCall =>
  read(worktree, '-c', 'diff.autoRefreshIndex=true', 'diff', '--name-only', '--no-renames', '--ignore-submodules=dirty', '-z');
const gitDirCall = (worktree: string): GitCall => read(worktree, 'rev-parse', '--absolute-git-dir');

/** Reads where the rebase of a worktree stands. Four processes: call it when a turn has ended or something in git has changed. */
export async function readSituation(git: Git, worktree: string, rebasing: Rebasing): Promise<GitSituation> {
  const [unfinished, { head = '', branch, changes }] = await Promise.all([
    unfinishedOperation(git, worktree),
    ownStatus({ git, at: worktree }),
  ]);
  if (unfinished?.operation !== 'rebase') return { kind: 'over', at: await judgePlace(git, worktree, head, rebasing), head, branch };
  const unmerged = changes.filter(({ kind }) => kind === 'unmerged').map(({ path }) => path);
  const [commit, unstaged] = await Promise.all([stoppedCommit(git, worktree, rebasing), git.ok(unstagedCall(worktree))]);
  const open = new Set(['', ...unmerged]);
  const others = [...new Set(splitZ(unstaged))].filter((path) => !open.has(path));
  return { kind: 'stopped', commit, head, unmerged, unstaged: others };
}

async function judgePlace(git: Git, worktree: string, now: string, { head, onto }: Rebasing): Promise<'old' | 'onto-main' | 'elsewhere'> {
  if (now === head) return 'old';
  return (await isAncestor(git, worktree, onto, now)) ? 'onto-main' : 'elsewhere';
}

/** The commits that the rebase moves, oldest first, as `git rebase` lists them: merges are left out. */
export async function commitsToMove(git: Git, worktree: string, { head, onto, base }: Rebasing): Promise<readonly Commit[]> {
  const without = base === undefined ? [] : [base];
  return (await commitsBetween(outside(git), worktree, onto, head, without)).filter(({ parents }) => parents.length < 2);
}

/** The file holds one hash. */
const LONGEST_NOTE = 200;

export interface StoppedAt {
  readonly commit: Commit;
  readonly progress: { readonly position: number; readonly total: number };
}

/** At which of the worker's commits a rebase has stopped. An agent can write git's note of it, so any other commit does not count. */
export async function stoppedAt(git: Git, worktree: string, gitDir: string, rebasing: Rebasing): Promise<StoppedAt | undefined> {
  const note = (await git.files.readPlain(join(gitDir, 'rebase-merge', 'stopped-sha'), LONGEST_NOTE))?.trim() ?? '';
  // git writes the whole hash, or its first digits.
  if (!/^[0-9a-f]{7,64}$/.test(note)) return undefined;
  const commits = await commitsToMove(git, worktree, rebasing);
  const index = commits.findIndex(({ sha }) => sha.startsWith(note));
  const commit = commits[index];
  return commit && { commit, progress: { position: index + 1, total: commits.length } };
}

async function stoppedCommit(git: Git, worktree: string, rebasing: Rebasing): Promise<string | undefined> {
  const gitDir = (await git.ok(gitDirCall(worktree))).replace(/\n$/, '');
  return (await stoppedAt(git, worktree, gitDir, rebasing))?.commit.sha;
}

export function changedByAgent(worktree: string): LlmcError {
  return new LlmcError('GIT_FAILED', `git’s record of the rebase in ${worktree} was changed`, {
    hint: `Start over: ${commandLine('llmc', 'rebase', basename(worktree), '--abort')}, then: ${commandLine('llmc', 'rebase', basename(worktree))}`,
  });
}
