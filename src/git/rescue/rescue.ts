import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import type { Instant } from '../../base/ports.ts';
import { findRefusal } from '../../base/refusal.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { exchange, saveObject, UNCHECKED } from '../exchange/exchange.ts';
import { asSha } from '../exchange/list-refs.ts';
import { isAncestor, readCommitId, readTreeId } from '../inspect.ts';
import { type CommitDraft, commitTree } from '../landing/squash.ts';
import { localRef, workerBranch } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { typedGit } from '../typed-git.ts';
import { ownStatus, type RepositoryStatus } from '../worktree/status.ts';
import { reconnect } from '../worktree/worktree.ts';
import { type GitPlaces, toGitPlaces } from './places.ts';
import { readHeadFile, replaceBroken } from './replace-broken.ts';
import { rescueNested } from './rescue-nested.ts';
import {
  listRescuesCall,
  parseRescues,
  portions,
  RESCUE_PREFIX,
  type Rescue,
  rescueMessage,
  rescueName,
  rescueSizesCall,
} from './rescue-ref.ts';
import { snapshot, stagedTree } from './snapshot.ts';
import { bundled, strayCommits } from './strays.ts';
import { unhide } from './unhide.ts';

export interface RescueRequest {
  readonly root: string;
  readonly worktree: string;
  readonly worker: string;
  /** Commits that this revision contains need no rescue. Usually the tracking ref of main. */
  readonly base: string;
  /** Commits of the worker that llmc knows of, such as the one that waits for a review. */
  readonly commits?: readonly string[] | undefined;
  readonly reason: string;
  /** What the worker is working on. */
  readonly task?: string | undefined;
  readonly now: Instant;
}

export interface Rescued {
  readonly ref: string;
  readonly name: string;
  readonly sha: string;
  /** What git could not store: an unreadable file, a broken nested repository. */
  readonly missed: readonly string[];
}

const branchTipCall = (root: string, worker: string): GitCall =>
  read(root, 'rev-parse', '--quiet', '--verify', localRef(workerBranch(worker)));
/** In the administrative folder, which is there even if the worktree was deleted. */
const headCall = (admin: string): GitCall => read(admin, 'rev-parse', '--quiet', '--verify', '--end-of-options', 'HEAD^{commit}');
/** The empty old value makes git fail instead of replacing an earlier rescue. */
const createRefCall = (root: string, ref: string, sha: string): GitCall => write(root, 'update-ref', ref, sha, '');

/**
 * Saves everything of a worker that would otherwise be lost, without changing its worktree.
 * Returns undefined if there is nothing to save. A repeated call without new work returns the same rescue.
 */
export async function saveRescue(git: Git, request: RescueRequest): Promise<Rescued | undefined> {
  const work = await collect(git, request);
  if (work === undefined) return undefined;
  const { draft, missed } = work;
  return { ...(await keep(git, request, draft)), missed };
}

/** Saves one commit that no branch names any more. A repeated call returns the same rescue. */
export async function rescueCommit(git: Git, request: RescueRequest, commit: string): Promise<Rescued> {
  const { root, worker, reason, task, base, now } = request;
  if (!(await hasCommit(git, root, commit))) await saveObject(git, root, worker, commit);
  const message = rescueMessage(worker, reason, [], { commits: await commitsAhead(git, root, base, commit), task });
  const committed = `${Math.floor(now / 1_000)} +0000`;
  const draft = { tree: await readTreeId(git, root, commit), parents: [commit], message, author: LLMC(committed), committed };
  return { ...(await keep(git, request, draft)), missed: [] };
}

/** Work that an earlier rescue holds already is not saved twice. */
async function keep(git: Git, request: RescueRequest, draft: CommitDraft): Promise<Omit<Rescued, 'missed'>> {
  const [head] = draft.parents;
  const same = (await listRescues(git, request.root, request.worker)).find(
    // A rescue holds the commits that only the reflog knew, so they are not strays any more.
    (each) => each.tree === draft.tree && each.parents[0] === head && draft.parents.every((parent) => each.parents.includes(parent)),
  );
  if (same !== undefined) return { ref: same.ref, name: same.name, sha: same.sha };
  const sha = await commitTree(git, request.root, draft);
  fault('rescue:before-ref');
  const name = await store(git, request, sha);
  fault('rescue:after-ref');
  return { ref: `${RESCUE_PREFIX}${name}`, name, sha };
}

const hasCommit = async (git: Git, root: string, commit: string): Promise<boolean> =>
  (await git.run(read(root, 'cat-file', '-e', `${commit}^{commit}`))).status === 0;

/** Throws if a part could not be saved: then llmc must not destroy anything. */
export function requireWhole(saved: Rescued | undefined, worktree: string): void {
  if (saved === undefined || saved.missed.length === 0) return;
  throw new LlmcError('WORK_NOT_SAVED', `not everything in ${worktree} can be saved: ${saved.missed.join('; ')}`, {
    hint: `Move that out of the worktree or delete it, then try again. The rest is saved: llmc rescue show ${saved.name}`,
    details: saved.missed.join('\n'),
  });
}

export async function listRescues(git: Git, root: string, worker?: string): Promise<Rescue[]> {
  const listed: string[] = [];
  for (const portion of portions(await git.ok(rescueSizesCall(root, worker)))) listed.push(await git.ok(listRescuesCall(root, portion)));
  return parseRescues(listed.join(''));
}

/** Finds a rescue by ref, by `<worker>/<time>`, or the newest one of a worker. With `:<commit>` after it, one of the commits in it. */
export async function findRescue(git: Git, root: string, wanted: string): Promise<Rescue> {
  const [, rescued = '', commit] = /^(.*?)(?::([0-9a-f]{4,64}))?$/s.exec(wanted) ?? [];
  const all = await listRescues(git, root);
  const found = all.find((each) => each.ref === rescued || each.name === rescued) ?? all.find((each) => each.worker === rescued);
  if (found !== undefined) return commit === undefined ? found : await commitIn(git, root, found, commit);
  throw new LlmcError('RESCUE_NOT_FOUND', `there is no rescue "${wanted}"`, { hint: 'List the rescues: llmc rescue list' });
}

/** A commit that a rescue holds, as if it were all that was saved. */
async function commitIn(git: Git, root: string, rescued: Rescue, commit: string): Promise<Rescue> {
  const sha = asSha(
    (await git.run(read(root, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}^{commit}`))).stdout.trim(),
  );
  if (sha === undefined || !(await isAncestor(git, root, sha, rescued.sha)))
    throw new LlmcError('RESCUE_NOT_FOUND', `${rescued.name} holds no commit ${commit}`, { hint: `llmc rescue show ${rescued.name}` });
  const name = `${rescued.name}:${sha.slice(0, 12)}`;
  return { ...rescued, name, sha, tree: await readTreeId(git, root, sha), parents: [sha], files: 0, commits: null, others: [] };
}

type Collected = { readonly draft: CommitDraft; readonly missed: readonly string[] };

/** Nothing may be destroyed after an error here, so each one is a refusal that names the way out. */
async function collect(git: Git, request: RescueRequest): Promise<Collected | undefined> {
  try {
    return await collectAll(git, request);
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'GIT_FAILED' || findRefusal(error) !== undefined) throw error;
    const aside = commandLine('mv', '--', request.worktree, `${request.worktree}.aside`);
    throw new LlmcError('WORK_NOT_SAVED', `the work of ${request.worker} cannot be saved: ${error.message}`, {
      hint: error.hint ?? `Take its files out of the way of llmc: ${aside}, then try again: llmc saves its commits.`,
      details: error.details,
      cause: error,
    });
  }
}

async function collectAll(git: Git, request: RescueRequest): Promise<Collected | undefined> {
  const { root, worktree, worker, reason, task, base, now } = request;
  const places = toGitPlaces(request);
  await exchange(git, root, worktree, UNCHECKED).catch(async (error: unknown) => {
    if (findRefusal(error) !== undefined || !(await replaceBroken(git, places))) throw error;
    await exchange(git, root, worktree, UNCHECKED);
  });
  const present = await reconnect(git, root, worktree);
  const { head, tip, changes, unread } = await look(git, places, base, present);
  const inside = present ? await rescueNested(git, root, worktree) : { saved: [], missed: [], gitlinks: { all: [], readable: [] } };
  const safe = [base, ...[head, tip].filter((sha) => sha !== undefined)];
  const strays = await strayCommits(git, places, { more: request.commits ?? [], safe });
  // Before the first commit of a branch, the files are compared with what the worker had last.
  const first = head ?? tip ?? strays.commits.find((sha) => request.commits?.includes(sha)) ?? (await readCommitId(git, root, base));
  const isSafe = async (sha: string | undefined) => sha === undefined || (await isAncestor(git, root, sha, base));
  const isChanged = changes.length > 0 || (present && head === undefined);
  const seen = isChanged ? await snapshot(git, worktree, head, inside.gitlinks) : present ? undefined : await stagedTree(git, places.admin);
  for (const sha of [seen?.tree, seen?.index]) if (sha !== undefined) await saveObject(git, root, worker, sha);
  const before = await readTreeId(git, root, first);
  const differs = (seen !== undefined && (seen.tree !== before || seen.index !== undefined)) || (head !== undefined && changes.length > 0);
  const missed = [...unread, ...(seen?.missed ?? []), ...inside.missed, ...strays.missed];
  const isNothing = !differs && missed.length === 0 && inside.saved.length === 0 && strays.commits.length === 0;
  if (isNothing && (await isSafe(first)) && (tip === head || (await isSafe(tip)))) return undefined;
  // During a rebase the branch still points at the old commits: HEAD alone would lose them.
  const kept = [tip, seen?.index, ...inside.saved.map(({ sha }) => sha)].filter((sha) => sha !== undefined);
  const parents = [...new Set([first, ...kept, ...(await bundled(git, root, strays.commits))])];
  const changed = differs ? changes : [];
  const message = rescueMessage(worker, reason, [...new Set([...changed, ...inside.saved].map(({ path }) => path.replace(/\/$/, '')))], {
    inside: inside.saved,
    others: [...(tip === undefined || tip === first ? [] : [tip]), ...strays.commits],
    unreadable: strays.unreadable,
    commits: await commitsAhead(git, root, base, first),
    task,
  });
  const committed = `${Math.floor(now / 1_000)} +0000`;
  return { draft: { tree: seen?.tree ?? before, parents, message, author: LLMC(committed), committed }, missed };
}

interface Looked extends Pick<RepositoryStatus, 'head' | 'changes' | 'unread'> {
  readonly tip: string | undefined;
}

/** Reads HEAD, the branch and the changes. Throws if one of them names a commit that git cannot read. */
async function look(git: Git, places: GitPlaces, base: string, present: boolean): Promise<Looked> {
  const { root, worktree, worker, admin } = places;
  const branch = localRef(workerBranch(worker));
  const [tip, own] = await Promise.all(
    [root, admin].map(async (at) => (await git.run(branchTipCall(at, worker))).stdout.trim() || undefined),
  );
  // An exchange takes in a branch that git can read. Else the store still has the commit before.
  for (const [at, sha] of [
    [root, tip],
    [present ? worktree : admin, own],
  ] as const)
    if (sha !== undefined && !(await hasCommit(git, at, sha)))
      throw unreadable(worker, `the branch ${workerBranch(worker)}`, sha, typedGit(at, 'update-ref', branch, base));
  if (!present) {
    const head = asSha((await git.run(headCall(admin))).stdout.trim());
    return { head: head ?? tip, tip, changes: [], unread: [] };
  }
  const read = async () => {
    await unhide(git, worktree);
    return await ownStatus({ git, at: worktree });
  };
  let status = await read().catch((error: unknown) => error);
  const isUnborn = status instanceof Error || (status as RepositoryStatus).head === undefined;
  if (isUnborn && findRefusal(status) === undefined && (await replaceBroken(git, places)))
    status = await read().catch((error: unknown) => error);
  if (!(status instanceof Error)) return { ...(status as RepositoryStatus), tip };
  const named = asSha(await readHeadFile(git, places));
  if (named === undefined || (await hasCommit(git, worktree, named))) throw status;
  const instead = tip === undefined ? base : branch;
  throw unreadable(worker, 'HEAD', named, typedGit(worktree, 'update-ref', '--no-deref', 'HEAD', instead));
}

/** The commit may be damaged and not gone, so a person decides. Its name is all that would be destroyed, and stays in the message. */
function unreadable(worker: string, what: string, sha: string, giveUp: string): LlmcError {
  return new LlmcError('WORK_NOT_SAVED', `${what} of ${worker} names the commit ${sha}, which git cannot read`, {
    hint: `To give that commit up: ${giveUp}, then try again: llmc saves the rest.`,
  });
}

async function commitsAhead(git: Git, root: string, base: string, head: string): Promise<number | undefined> {
  const { status, stdout } = await git.run(read(root, 'rev-list', '--count', '--end-of-options', `${base}..${head}`));
  return status === 0 ? Number(stdout) : undefined;
}

const LLMC = (date: string) => ({ name: 'llmc', email: 'llmc@localhost', date });

async function store(git: Git, { root, worker, now }: RescueRequest, sha: string): Promise<string> {
  for (let nth = 1; ; nth += 1) {
    const name = rescueName(worker, now, nth);
    const call = createRefCall(root, `${RESCUE_PREFIX}${name}`, sha);
    const answer = await git.run(call);
    if (answer.status === 0) return name;
    if (!/already exists/.test(answer.stderr)) throw gitFailed(call, answer);
  }
}
