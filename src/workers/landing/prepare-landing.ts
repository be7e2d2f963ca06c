import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Commit } from '../../git/commits.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { stripAttribution } from '../../git/landing/message.ts';
import { patchIdOf } from '../../git/landing/patch.ts';
import { isReviewedChange } from '../../git/landing/same-change.ts';
import { signingOf } from '../../git/landing/signing.ts';
import { moveBranch, squashOnto } from '../../git/landing/squash.ts';
import { changedGitlinks, type Gitlink, unknownGitlinks } from '../../git/landing/unknown-gitlinks.ts';
import { messageOfAll, type Words, wordsId } from '../../git/landing/words.ts';
import { addsNothing } from '../../git/rebase/conflict.ts';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import { outside } from '../../git/run.ts';
import type { State, Worker } from '../../store/state.ts';
import { type Landing, prepareLanding } from '../../store/tables/landings.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import type { WorkContext } from '../context.ts';
import { ConflictError } from './conflict-error.ts';
import type { Main } from './refresh-review.ts';
import { takenBackBelow } from './taken-back.ts';

export interface PreparedCommit {
  readonly sha: string;
  readonly subject: string;
}

/** Makes one commit on `main` of the worker's branch and checks it against the review. Undefined if main has everything already. */
export async function prepareCommit(
  context: WorkContext,
  landing: Landing,
  { branch, sha: main }: Main,
): Promise<PreparedCommit | undefined> {
  const { git, store } = context;
  const worker = store.worker(landing.worker);
  const at = worker.worktree_path;
  const { source, attribution } = (await context.config()).repo;
  const [head, signing] = await Promise.all([rebased(context, worker, { branch, sha: main }), signingOf(git, source)]);
  if (head === undefined) return undefined;
  fault('accept:after-rebase');
  await exchange(git, context.layout.root, at);
  const seen = outside(git);
  const wording = (commits: readonly Commit[]) =>
    landing.message === null ? messageOfAll(commits, attribution) : stripAttribution(landing.message, attribution);
  const [squashed, gitlinks, patchId] = await Promise.all([
    squashOnto(seen, at, main, wording, { tip: head, signing, made: landing.landed }),
    changedGitlinks(seen, at, main, head),
    worker.reviewed_patch_id === null ? null : patchIdOf(git, context.layout.root, main, head),
  ]);
  if (squashed.kind === 'nothing') return undefined;
  await requireKnownGitlinks(context, worker, gitlinks, acceptCommand(worker.name, landing.branch));
  if (patchId !== worker.reviewed_patch_id || !(await keepsReview(context, worker, main, head)))
    throw changed(worker, `what ${worker.name} would land is not what was reviewed`);
  requireReviewedWords(worker, landing, squashed.words);
  store.commit({
    worker: worker.name,
    kind: 'accept',
    ...(landing.message !== null && { state: (draft: State) => countAsReviewed(draft.workers[worker.name], squashed.words) }),
    summary: `one commit ${squashed.sha.slice(0, 12)} on ${main.slice(0, 12)}`,
    rows: (database) => prepareLanding(database, landing.id, main, squashed.sha, head),
  });
  const moved = await moveBranch(git, at, squashed);
  if (moved.kind === 'changed') throw changed(worker, `${worker.name} made another commit, ${moved.now.slice(0, 12)}, meanwhile`);
  fault('accept:after-squash');
  return { sha: squashed.sha, subject: squashed.words.message.split('\n')[0] ?? '' };
}

/** The agent can change the message and the author after the review. A message that the user gave needs no review. */
function requireReviewedWords(worker: Worker, landing: Landing, words: Words): void {
  const { reviewed_patch_id, reviewed_words: reviewed, name } = worker;
  if (reviewed_patch_id === null || reviewed === null) return;
  const now = wordsId(words);
  if (now.author !== reviewed.author) throw changed(worker, `the author of the work of ${name} changed since the review`);
  if (landing.message === null && now.message !== reviewed.message)
    throw changed(worker, `the commit message of ${name} changed since the review`);
}

/** The branch gets the message that the user gave: another accept after a failure must not take it for one of the agent. */
function countAsReviewed(worker: Worker | undefined, words: Words): void {
  if (worker !== undefined && worker.reviewed_words !== null) worker.reviewed_words = wordsId(words);
}

/** If the commit is not the reviewed one, for example after a rebase, it must have the files that a merge of the reviewed one has. */
async function keepsReview({ git, layout }: WorkContext, worker: Worker, main: string, head: string): Promise<boolean> {
  const { reviewed_patch_id, reviewed_commit } = worker;
  if (reviewed_patch_id === null || reviewed_commit === null || reviewed_commit === head) return true;
  return await isReviewedChange(git, layout.root, main, reviewed_commit, head);
}

/** Refuses a submodule commit that only this worktree has: no one else could check it out from main. */
async function requireKnownGitlinks(
  { git }: WorkContext,
  { name, worktree_path: at }: Worker,
  changed: readonly Gitlink[],
  again: string,
): Promise<void> {
  const [first] = await unknownGitlinks(git, at, changed);
  if (first === undefined) return;
  const { path, sha, why } = first;
  const reject = (words: string) => commandLine('llmc', 'reject', '--worker', name, words);
  switch (why) {
    case 'private':
      throw new LlmcError(
        'LANDING_REFUSED',
        `${path} is a repository of its own without a remote: main would get its name and none of its files`,
        {
          hint: reject(`Take ${path} out of the commit, or add its files without its .git`),
        },
      );
    case 'absent':
      throw new LlmcError(
        'LANDING_REFUSED',
        `the submodule ${path} would move to ${sha.slice(0, 12)}, and is not checked out in ${at}: llmc cannot check whether its remote has that commit`,
        {
          hint: `${commandLine('git', '-C', at, 'submodule', 'update', '--init', '--', path)}, then: ${again}`,
        },
      );
    case 'closed':
      throw new LlmcError(
        'LANDING_REFUSED',
        `the submodule ${path} would move to ${sha.slice(0, 12)}, and its git directory is not one that llmc runs git in: llmc cannot check whether its remote has that commit`,
        {
          hint: `Look at it, delete it, then: ${again}. ${commandLine('rm', '-rf', '--', `${at}/${path}`)}`,
        },
      );
    case 'not-on-remote':
      throw new LlmcError(
        'LANDING_REFUSED',
        `the submodule ${path} would move to ${sha.slice(0, 12)}, a commit that its remote does not have`,
        {
          hint: `Push it: ${commandLine('git', '-C', `${at}/${path}`, 'push', 'origin')} ${sha}:refs/heads/<branch>, then: ${again}; or ${reject(`Leave ${path} as it was`)}`,
        },
      );
  }
}

export function changed(worker: Worker, problem: string): LlmcError {
  return new LlmcError('PATCH_CHANGED', problem, { hint: `Review it again: llmc review ${worker.name}` });
}

/** Undefined if main has the whole change already, although its commits do not apply one by one. */
async function rebased(context: WorkContext, worker: Worker, main: Main): Promise<string | undefined> {
  const { git } = context;
  const result = await rebaseOnto(git, worker.worktree_path, main.sha, takenBackBelow(context, worker));
  switch (result.kind) {
    case 'clean':
    case 'up-to-date':
      return result.head;
    case 'conflict':
      if (await addsNothing(git, worker.worktree_path, main.sha)) return undefined;
      throw new ConflictError(worker.name, main, result.files);
    case 'dirty':
    case 'busy': {
      const what = result.kind === 'dirty' ? `uncommitted changes in ${result.files.join(', ')}` : `a ${result.operation} in progress`;
      throw new LlmcError('WORKTREE_DIRTY', `the worktree of ${worker.name} has ${what}`, { hint: `llmc attach ${worker.name}` });
    }
  }
}
