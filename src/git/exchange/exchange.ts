import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { localRef, workerBranch } from '../refs.ts';
import { complaint, type Git, type GitCall, read, write } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { remakeHint, uploadPackOptions } from '../walls.ts';
import { type ImportLimit, limitedFetch } from './limited-fetch.ts';
import { asSha, parseRefs, refsCall } from './refs-of.ts';

/** Keeps imported commits that no branch names, such as those of a rebase in progress. */
const importedRef = (worker: string, what: 'head' | 'branch'): string => `refs/llmc/imported/${worker}/${what}`;
const TRACKING = 'refs/remotes/origin';
/** A git inside may hang as long as its agent likes, and hand out as much as the disk has. */
const LIMIT: ImportLimit = { timeoutMs: 300_000, mostBytes: 1024 ** 3 };

/** In the administrative folder, which is there even if the worktree was deleted. */
const headCall = (admin: string): GitCall => read(admin, 'rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}');
const attachedCall = (admin: string): GitCall => read(admin, 'symbolic-ref', '--quiet', 'HEAD');
const outside = (call: GitCall): GitCall => ({ ...call, outside: true });
const moveRefsCall = (at: string, refs: readonly (readonly [string, string])[]): GitCall => ({
  ...write(at, 'update-ref', '--stdin'),
  stdin: refs.map(([name, sha]) => `update ${name} ${sha}\n`).join(''),
});

/**
 * Brings the commits of a sandboxed worker into the root, where `HEAD` and its branch then name them, and shows it the newest main.
 * git reads its objects inside the sandbox and checks what comes out: hashes, form (fsck) and that none is missing. Does nothing
 * for a worker without a sandbox. Safe to repeat, and to interrupt: refs move last.
 */
export async function exchange(git: Git, root: string, worktree: string, limit: Partial<ImportLimit> = {}): Promise<void> {
  const worker = git.walls.around(worktree)?.worker;
  if (worker === undefined) return;
  await git.locks.withLock(`exchange ${worktree}`, () => exchangeNow(git, root, worker, { ...LIMIT, ...limit }));
}

async function exchangeNow(git: Git, root: string, worker: string, limit: ImportLimit): Promise<void> {
  const admin = join(root, '.git', 'worktrees', worker);
  const branch = localRef(workerBranch(worker));
  const imported = importedRef(worker, 'head');
  const [theirs, head, attached, ours, knownHead, knownAttached] = await Promise.all([
    git.ok(refsCall(admin, branch, TRACKING), limit).then(parseRefs),
    git.run(headCall(admin), limit).then(({ stdout }) => asSha(stdout.trim())),
    git.run(attachedCall(admin), limit).then(({ stdout }) => stdout.trim() === branch),
    git.ok(refsCall(root, branch, imported, TRACKING)).then(parseRefs),
    git.run(outside(headCall(admin))).then(({ stdout }) => asSha(stdout.trim())),
    git.run(outside(attachedCall(admin))).then(({ stdout }) => stdout.trim() === branch),
  ]);
  const tip = theirs.get(branch);
  if (head !== undefined && head !== ours.get(imported)) await importCommit(git, root, worker, head, imported, limit);
  if (tip !== undefined && tip !== head && tip !== ours.get(branch))
    await importCommit(git, root, worker, tip, importedRef(worker, 'branch'), limit);
  fault('exchange:before-refs');
  if (tip !== undefined && tip !== ours.get(branch)) await git.ok(moveRefsCall(root, [[branch, tip]]));
  if (head !== undefined && (head !== knownHead || attached !== knownAttached)) {
    const call = attached ? write(admin, 'symbolic-ref', 'HEAD', branch) : write(admin, 'update-ref', '--no-deref', 'HEAD', head);
    await git.ok(outside(call));
    // For a person who runs git in the worktree: llmc itself reads the index inside.
    await git.run(outside(write(admin, 'read-tree', '--end-of-options', head)));
  }
  const stale = [...ours].filter(([name, sha]) => name.startsWith(`${TRACKING}/`) && theirs.get(name) !== sha);
  // If the agent's own git locks them right now, the next exchange moves them.
  if (stale.length > 0) await git.run(moveRefsCall(admin, stale), limit);
}

async function importCommit(git: Git, root: string, worker: string, sha: string, ref: string, limit: ImportLimit): Promise<void> {
  await importObject(git, root, worker, `+${sha}:${ref}`, limit);
}

/** Imports one object and everything below it: a commit, or a tree that llmc made in the sandbox. */
export async function importObject(git: Git, root: string, worker: string, what: string, limit: ImportLimit = LIMIT): Promise<void> {
  const admin = join(root, '.git', 'worktrees', worker);
  const from = join(root, '.git');
  const wall = git.walls.around(admin);
  const call = fetchCall(root, wall?.inner(from) ?? from, what, ...uploadPackOptions(git.walls, admin));
  const answer = await limitedFetch(git, root, { ...call, args: ['-c', 'fetch.fsckObjects=true', ...call.args] }, limit);
  if (answer.status === 0) return;
  if (answer.tooLarge)
    throw new LlmcError('SANDBOX_FAILED', `the work of ${worker} is too large: ${limit.mostBytes} bytes at once may leave its sandbox`, {
      hint: `Ask it to leave large files out of its commits, or look into it: llmc attach ${worker}`,
    });
  throw new LlmcError('SANDBOX_FAILED', `the work of ${worker} cannot be taken out of its sandbox: ${complaint(answer.stderr)}`, {
    hint: [`Ask it to make its commits again, or look into it: llmc attach ${worker}.`, wall && remakeHint(wall, root)].join(' '),
    details: answer.stderr.trim(),
  });
}
