import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { exchange, importObject } from '../exchange/exchange.ts';
import { isAncestor, treeOf } from '../inspect.ts';
import { type CommitDraft, commitTree } from '../landing/squash.ts';
import { localRef, workerBranch } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { ownStatus } from '../worktree/status.ts';
import { reconnect } from '../worktree/worktree.ts';
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
import { snapshot } from './snapshot.ts';
import { unhide } from './unhide.ts';

export interface RescueRequest {
  readonly root: string;
  readonly worktree: string;
  readonly worker: string;
  /** Commits that this revision contains need no rescue. Usually the tracking ref of main. */
  readonly base: string;
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
/** The empty old value makes git fail instead of replacing an earlier rescue. */
const createRefCall = (root: string, ref: string, sha: string): GitCall => write(root, 'update-ref', ref, sha, '');

/**
 * Saves everything of a worker that would otherwise be lost, without changing its worktree.
 * Returns undefined if there is nothing to save. A repeated call without new work returns the same rescue.
 */
export async function rescue(git: Git, request: RescueRequest): Promise<Rescued | undefined> {
  const work = await collect(git, request);
  if (work === undefined) return undefined;
  const { draft, missed } = work;
  return { ...(await keep(git, request, draft)), missed };
}

/** Saves one commit that no branch names any more. A repeated call returns the same rescue. */
export async function rescueCommit(git: Git, request: RescueRequest, commit: string): Promise<Rescued> {
  const { root, worker, reason, task, base, now } = request;
  if (git.walls.around(request.worktree) !== undefined && !(await hasCommit(git, root, commit)))
    await importObject(git, root, worker, commit);
  const message = rescueMessage(worker, reason, [], { commits: await commitsAhead(git, root, base, commit), task });
  const committed = `${Math.floor(now / 1_000)} +0000`;
  const draft = { tree: await treeOf(git, root, commit), parents: [commit], message, author: LLMC(committed), committed };
  return { ...(await keep(git, request, draft)), missed: [] };
}

/** Work that an earlier rescue holds already is not saved twice. */
async function keep(git: Git, request: RescueRequest, draft: CommitDraft): Promise<Omit<Rescued, 'missed'>> {
  const same = (await listRescues(git, request.root, request.worker)).find(
    (each) => each.tree === draft.tree && each.parents.join() === draft.parents.join(),
  );
  if (same !== undefined) return { ref: same.ref, name: same.name, sha: same.sha };
  const sha = await commitTree(git, request.root, draft);
  const name = await store(git, request, sha);
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

/** Finds a rescue by ref, by `<worker>/<time>`, or the newest one of a worker. */
export async function findRescue(git: Git, root: string, wanted: string): Promise<Rescue> {
  const all = await listRescues(git, root);
  const found = all.find((each) => each.ref === wanted || each.name === wanted) ?? all.find((each) => each.worker === wanted);
  if (found !== undefined) return found;
  throw new LlmcError('RESCUE_NOT_FOUND', `there is no rescue "${wanted}"`, { hint: 'List the rescues: llmc rescue list' });
}

async function collect(git: Git, request: RescueRequest): Promise<{ draft: CommitDraft; missed: readonly string[] } | undefined> {
  const { root, worktree, worker, reason, task, base, now } = request;
  await exchange(git, root, worktree);
  const present = await reconnect(git, root, worktree);
  const [branchTip] = await Promise.all([git.run(branchTipCall(root, worker)), present ? unhide(git, worktree) : undefined]);
  const tip = branchTip.stdout.trim() || undefined;
  const { head, changes, unread } = present ? await ownStatus({ git, at: worktree }) : { head: tip, changes: [], unread: [] };
  if (head === undefined) return undefined;
  const isSafe = async (sha: string | undefined) => sha === undefined || (await isAncestor(git, root, sha, base));
  const inside = present ? await rescueNested(git, root, worktree) : { saved: [], missed: [], gitlinks: { all: [], readable: [] } };
  const noneInside = inside.saved.length === 0 && inside.missed.length === 0 && unread.length === 0;
  if (noneInside && changes.length === 0 && (await isSafe(head)) && (tip === head || (await isSafe(tip)))) return undefined;
  const seen = present && changes.length > 0 ? await snapshot(git, worktree, head, inside.gitlinks) : undefined;
  if (git.walls.around(worktree) !== undefined)
    for (const sha of [seen?.tree, seen?.index]) if (sha !== undefined) await importObject(git, root, worker, sha);
  // During a rebase the branch still points at the old commits: HEAD alone would lose them.
  const kept = [tip, seen?.index, ...inside.saved.map(({ sha }) => sha)].filter((sha) => sha !== undefined);
  const parents = [...new Set([head, ...kept])];
  const message = rescueMessage(worker, reason, [...new Set([...changes, ...inside.saved].map(({ path }) => path.replace(/\/$/, '')))], {
    inside: inside.saved,
    commits: await commitsAhead(git, root, base, head),
    task,
  });
  const committed = `${Math.floor(now / 1_000)} +0000`;
  return {
    draft: { tree: seen?.tree ?? (await treeOf(git, root, head)), parents, message, author: LLMC(committed), committed },
    missed: [...unread, ...(seen?.missed ?? []), ...inside.missed],
  };
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
