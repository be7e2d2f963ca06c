import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Commit } from '../../git/commits.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { stripAttribution } from '../../git/landing/message.ts';
import { hashPatch } from '../../git/landing/patch.ts';
import { isReviewedChange } from '../../git/landing/same-change.ts';
import { readSigning } from '../../git/landing/signing.ts';
import { moveBranch, squashOnto } from '../../git/landing/squash.ts';
import { changedGitlinks, type Gitlink, unknownGitlinks } from '../../git/landing/unknown-gitlinks.ts';
import { messageOfAll, type Words, wordsId } from '../../git/landing/words.ts';
import { addsNothing } from '../../git/rebase/conflict.ts';
import { readWorkRange, standInForMain } from '../../git/rebase/former-main.ts';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import { outside } from '../../git/run.ts';
import { typedGit } from '../../git/typed-git.ts';
import type { State, Worker } from '../../store/state.ts';
import { type Landing, prepareLanding } from '../../store/tables/landings.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import type { WorkContext } from '../context.ts';
import { reviewedBefore } from '../review/reviewed-before.ts';
import { leftOutText } from '../review/text/left-out-text.ts';
import { ConflictError } from './conflict-error.ts';
import { collectFormerMains, withLeftOut } from './former-mains.ts';
import type { Main } from './refresh-review.ts';
import { reviewedElsewhere } from './reviewed-elsewhere.ts';

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
  const [head, signing] = await Promise.all([rebased(context, worker, { branch, sha: main }), readSigning(git, source)]);
  if (head === undefined) return undefined;
  fault('accept:after-rebase');
  await exchange(git, context.layout.root, at);
  const seen = outside(git);
  const wording = (commits: readonly Commit[]) =>
    landing.message === null
      ? messageOfAll(commits, attribution, reviewedBefore(store, worker.name))
      : stripAttribution(landing.message, attribution);
  const [squashed, gitlinks, patchId] = await Promise.all([
    squashOnto(seen, at, main, wording, { tip: head, signing, made: landing.landed }),
    changedGitlinks(seen, at, main, head),
    worker.reviewed_patch_id === null ? null : hashPatch(git, context.layout.root, main, head),
  ]);
  if (squashed.kind === 'nothing') return undefined;
  await requireKnownGitlinks(context, worker, gitlinks, acceptCommand(worker.name, landing.branch));
  if (patchId !== worker.reviewed_patch_id || !(await keepsReview(context, worker, { branch, sha: main }, head)))
    throw (
      (await reviewedElsewhere(context, worker, landing, branch)) ??
      changed(worker, `what ${worker.name} would land is not what was reviewed`)
    );
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
async function keepsReview(context: WorkContext, worker: Worker, main: Main, head: string): Promise<boolean> {
  const { git, layout, store } = context;
  const { reviewed_patch_id, reviewed_commit } = worker;
  if (reviewed_patch_id === null || reviewed_commit === null || reviewed_commit === head) return true;
  const isRewritten = store.worker(worker.name).left_out !== null;
  const upstream = isRewritten ? await mainOfReview(context, worker, main, reviewed_commit) : main.sha;
  return await isReviewedChange(git, layout.root, upstream, reviewed_commit, head);
}

/** A merge with main itself would bring back what main no longer has, and the reviewed commit was built on. */
async function mainOfReview(context: WorkContext, worker: Worker, { branch, sha }: Main, reviewed: string): Promise<string> {
  const [git, { root }] = [outside(context.git), context.layout];
  return await standInForMain(git, root, await readWorkRange(git, root, sha, reviewed, collectFormerMains(context, worker, branch)));
}

/** The next review says so too, if this accept does not get to its end. */
async function noteLeftOut(context: WorkContext, worker: Worker, { branch, sha }: Main, leftOut: readonly string[]): Promise<void> {
  const fields = await withLeftOut(context, worker, leftOut);
  if (fields.left_out == null) return;
  context.say(leftOutText(branch, fields.left_out));
  context.store.changeWorker(worker.name, {
    kind: 'rebase',
    summary: leftOutText(branch, fields.left_out),
    change: (draft) => Object.assign(draft, fields, { base_commit: sha }),
  });
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
          hint: `${typedGit(at, 'submodule', 'update', '--init', '--', path)}, then: ${again}`,
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
          hint: `Push it: ${typedGit(`${at}/${path}`, 'push', 'origin')} ${sha}:refs/heads/<branch>, then: ${again}; or ${reject(`Leave ${path} as it was`)}`,
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
  const result = await rebaseOnto(git, worker.worktree_path, main.sha, collectFormerMains(context, worker, main.branch));
  switch (result.kind) {
    case 'clean':
      await noteLeftOut(context, worker, main, result.leftOut ?? []);
      return result.head;
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
