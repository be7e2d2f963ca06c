import { describeError, LlmcError } from '../../base/error.ts';
import { type Author, type Commit, commitsOnBase } from '../commits.ts';
import { isAncestor, readCommitId } from '../inspect.ts';
import { type Git, type GitAnswer, type GitCall, gitFailed, write } from '../run.ts';
import { withIdentity } from '../source/identity.ts';
import { typedGit } from '../typed-git.ts';
import { SIGNING_TIMEOUT_MS, type Signing, signingFailed } from './signing.ts';
import type { Words } from './words.ts';

export interface CommitDraft {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author?: Author | undefined;
  /** `<seconds> <zone>` */
  readonly committed?: string | undefined;
  readonly signing?: Signing | undefined;
}

/** The message, or a function that makes it from the squashed commits. */
export type Wording = string | ((commits: readonly Commit[]) => string);

interface OneCommit {
  readonly sha: string;
  /** The newest of the commits in its place. It has the same files. */
  readonly tip: string;
  readonly words: Words;
}

export type Squashed =
  | ({ readonly kind: 'squashed' } & OneCommit)
  /** The branch already is that one commit. */
  | ({ readonly kind: 'unchanged' } & OneCommit)
  /** No commits, an empty one, or several that cancel each other: main would get an empty commit. */
  | { readonly kind: 'nothing' };

export const commitTreeCall = (at: string, draft: CommitDraft, env: Readonly<Record<string, string>> = {}): GitCall => ({
  ...write(
    at,
    ...(draft.signing ?? []).flatMap(({ key, value }) => ['-c', `${key}=${value}`]),
    'commit-tree',
    // `commit-tree` ignores `commit.gpgsign`.
    ...(draft.signing === undefined ? [] : ['-S']),
    ...draft.parents.flatMap((parent) => ['-p', parent]),
    '-F',
    '-',
    '--end-of-options',
    draft.tree,
  ),
  // The "@" makes git read any number as seconds. Without it, git refuses a small one (a date before 1973).
  env: {
    ...env,
    ...(draft.author && {
      GIT_AUTHOR_NAME: draft.author.name || 'llmc',
      GIT_AUTHOR_EMAIL: draft.author.email,
      GIT_AUTHOR_DATE: `@${draft.author.date}`,
    }),
    ...(draft.committed !== undefined && { GIT_COMMITTER_DATE: `@${draft.committed}` }),
  },
  stdin: `${draft.message.trimEnd()}\n`,
});
export const moveHeadCall = (worktree: string, to: string, from: string): GitCall =>
  write(worktree, 'update-ref', '-m', 'llmc: squash', 'HEAD', to, from);

export interface SquashOptions {
  readonly tip?: string;
  readonly signing?: Signing | undefined;
  /** The signed commit that an earlier call made. */
  readonly made?: string | null;
}

/**
 * Makes one commit on `base` with the files of the worktree's HEAD, without hooks or an editor. No ref moves.
 * Its hash depends only on its content (the committer date is that of the last commit), so a repeated call makes the same commit.
 * A signature can differ each time. If the branch has moved to the commit that llmc signed (`made`), that commit is the result.
 * A commit of the agent never is: it can have another committer, headers and text that no log shows, and a signature that is none.
 */
export async function squashOnto(
  git: Git,
  worktree: string,
  base: string,
  wording: Wording,
  { tip = 'HEAD', signing, made = null }: SquashOptions = {},
): Promise<Squashed> {
  const { commits, before } = await commitsOnBase(git, worktree, base, tip);
  const [first, last] = [commits[0], commits.at(-1)];
  if (first === undefined || last === undefined) return { kind: 'nothing' };
  await requireBase(git, worktree, base, first, last);
  if (before === last.tree) return { kind: 'nothing' };
  const message = (typeof wording === 'string' ? wording : wording(commits)).trimEnd();
  const isDone = commits.length === 1 && last.parents.length === 1 && last.parents[0] === base && last.message === message;
  const words = { message, author: first.author };
  if (isDone && signing !== undefined && made === last.sha) return { kind: 'unchanged', sha: last.sha, tip: last.sha, words };
  const draft = { tree: last.tree, parents: [base], ...words, committed: last.committed, signing };
  const sha = await commitTree(git, worktree, draft);
  return { kind: sha === last.sha ? 'unchanged' : 'squashed', sha, tip: last.sha, words };
}

/** On any other base, the commit would silently revert what main gained since. */
async function requireBase(git: Git, worktree: string, base: string, first: Commit, last: Commit): Promise<void> {
  if (first.parents[0] === base || (await isAncestor(git, worktree, base, last.sha))) return;
  throw new LlmcError('GIT_FAILED', `the commits in ${worktree} are not based on ${base}`, {
    hint: `Rebase them first: ${typedGit(worktree, 'rebase', base)}`,
  });
}

export async function commitTree(git: Git, at: string, draft: CommitDraft): Promise<string> {
  const answer = await withIdentity((env) => run(git, commitTreeCall(at, draft, env), draft.signing));
  if (answer.status === 0) return answer.stdout.trim();
  throw draft.signing === undefined ? gitFailed(commitTreeCall(at, draft), answer) : signingFailed(answer.stderr);
}

async function run(git: Git, call: GitCall, signing: Signing | undefined): Promise<GitAnswer> {
  if (signing === undefined) return git.run(call);
  return git.run(call, { timeoutMs: SIGNING_TIMEOUT_MS }).catch((error: unknown) => {
    throw signingFailed(describeError(error), error);
  });
}

export type Moved = { readonly kind: 'moved' } | { readonly kind: 'already-there' } | { readonly kind: 'changed'; readonly now: string };

/**
 * Moves the checked-out branch from the squashed commits to the one in their place, unless the agent has moved it meanwhile. Both have the
 * same files, so index and files stay as they are.
 */
export async function moveBranch(git: Git, worktree: string, { sha, tip }: Pick<OneCommit, 'sha' | 'tip'>): Promise<Moved> {
  const call = moveHeadCall(worktree, sha, tip);
  const answer = await git.run(call);
  if (answer.status === 0) return { kind: 'moved' };
  const now = await readCommitId(git, worktree);
  if (now === tip) throw gitFailed(call, answer);
  return now === sha ? { kind: 'already-there' } : { kind: 'changed', now };
}
