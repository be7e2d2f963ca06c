import { join } from 'node:path';
import type { Files } from '../../base/ports.ts';
import { localRef, trackingRef } from '../../git/refs.ts';
import { toGitPlaces } from '../../git/rescue/places.ts';
import { replaceBroken } from '../../git/rescue/replace-broken.ts';
import { type Git, read, write } from '../../git/run.ts';
import { tipCall } from '../../git/source/fetch.ts';
import { filesAt } from '../../git/walled-files.ts';
import { clearWay } from '../../git/worktree/reset.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

/** A reflog of 100,000 entries has about 20 MB. */
const LONGEST = 64 * 1024 * 1024;
const ROW = /^(?:#.*|\^[0-9a-f]{40,64}|[0-9a-f]{40,64} refs\/\S+|)$/;

/**
 * Lets git read a worker again whose HEAD, branch or index names nothing, or a commit that is gone. Changes no file of the worktree: the
 * branch goes on at the commit that waits for a review, else at the newest one of the reflog that git can read.
 */
export async function repairGit(context: WorkContext, name: string): Promise<readonly string[]> {
  return await context.locks.withLock(name, () => repairLocked(context, name));
}

async function repairLocked(context: WorkContext, name: string): Promise<readonly string[]> {
  const { git, layout, store } = context;
  const { branch, worktree_path: worktree, commit_sha, base_commit } = store.worker(name);
  if (!isWorktreePresent(layout.root, worktree)) return [];
  const places = toGitPlaces({ root: layout.root, worktree, worker: name });
  const files = filesAt(git, worktree);
  const ref = localRef(branch);
  const done: string[] = [];
  const packed = await files.readBeneath(places.common, 'packed-refs', LONGEST);
  const sound = soundRows(packed ?? '');
  if (packed !== undefined && sound !== packed) {
    const kept = `packed-refs.broken-${context.clock.now()}`;
    await files.replaceBeneath(places.common, kept, packed);
    await files.replaceBeneath(places.common, 'packed-refs', sound);
    done.push(`packed-refs had broken lines, and is kept as ${kept}`);
  }
  if (await replaceBroken(git, places)) done.push('what named nothing was replaced');
  if (!(await isCommit(git, worktree, ref))) {
    const was = (await git.run(read(worktree, 'rev-parse', '--quiet', '--verify', ref))).stdout.trim();
    const logs = [
      (await files.readBeneath(places.admin, 'logs/HEAD', LONGEST)) ?? '',
      (await files.readBeneath(places.common, `logs/${ref}`, LONGEST)) ?? '',
    ];
    const main = await mainBranch(context, await context.config());
    const known = [commit_sha, ...logs.flatMap(newestFirst), base_commit, trackingRef(main)];
    const start = await firstCommit(git, worktree, known);
    await clearWay(git, worktree, branch);
    await git.ok(write(worktree, 'update-ref', ref, start));
    done.push(`${branch} ${was === '' ? 'was gone' : `named ${was}, which git cannot read`}; it goes on at ${start}`);
  }
  if (!(await isCommit(git, worktree, 'HEAD'))) {
    const was = ((await files.readBeneath(places.admin, 'HEAD', 4_096)) ?? '').trim();
    await git.ok(write(worktree, 'symbolic-ref', 'HEAD', ref));
    done.push(`HEAD (${was}) named no commit; it is ${branch} again`);
  }
  if ((await files.kindBeneath(places.admin, 'index')) === 'missing') {
    await git.ok(write(worktree, 'read-tree', 'HEAD'));
    done.push('its index was made again');
  }
  if (done.length === 0) return [];
  const summary = `git could not read it: ${done.join('; ')}. Its files are as they were`;
  store.commit({ worker: name, kind: 'repair', summary });
  return [`${name}: ${summary}`];
}

async function isCommit(git: Git, at: string, name: string): Promise<boolean> {
  return (await git.run(read(at, 'cat-file', '-e', `${name}^{tree}`))).status === 0;
}

async function firstCommit(git: Git, at: string, names: readonly (string | null | undefined)[]): Promise<string> {
  for (const name of new Set(names)) {
    if (!name || !(await isCommit(git, at, name))) continue;
    return (await git.ok(read(at, 'rev-parse', '--verify', '--end-of-options', `${name}^{commit}`))).trim();
  }
  return (await git.ok(read(at, 'rev-parse', '--verify', 'refs/remotes/origin/HEAD^{commit}'))).trim();
}

/** The last column of hashes in a reflog. */
const newestFirst = (log: string): readonly string[] =>
  log
    .split('\n')
    .flatMap((line) => /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? [])
    .toReversed();

/**
 * Lets git read the root's repository again: keeps a broken packed-refs and objects that git cannot read under another name, brings the
 * objects of main again from the source, then puts the branches of the workers back.
 */
export async function repairRepository(context: WorkContext): Promise<readonly string[]> {
  const { git, layout, store, clock, files } = context;
  const { root } = layout;
  const done = [...mendPackedRefs(root, files, clock.now()), ...(await setAsideObjects(git, root, files, clock.now()))];
  const config = await context.config();
  const tips = await brokenRefs(git, root);
  if (done.length === 0 && tips.length === 0 && (await isCommit(git, root, trackingRef(await mainBranch(context, config))))) return [];
  done.push(...(await bringObjects(context, config.repo.source)));
  for (const { ref, sha } of await brokenRefs(git, root)) {
    await git.ok(write(root, 'update-ref', '--no-deref', '-d', ref));
    done.push(`${ref} named ${sha}, which git cannot read; it was removed`);
  }
  const main = await mainBranch(context, config);
  const tip = (await git.ok(tipCall(config.repo.source, main))).trim();
  await git.ok(write(root, 'update-ref', trackingRef(main), tip));
  const summary = `the repository of the root was repaired: ${done.join('; ')}`;
  store.commit({ worker: null, kind: 'repair', summary });
  const lines = [summary];
  for (const name of Object.keys(store.state.workers)) lines.push(...(await repairGit(context, name)));
  return lines;
}

function mendPackedRefs(root: string, files: Files, now: number): readonly string[] {
  const path = join(root, '.git', 'packed-refs');
  const text = files.readText(path) ?? '';
  const sound = soundRows(text);
  if (sound === text) return [];
  files.copy(path, `${path}.broken-${now}`);
  files.replace(path, sound);
  return [`packed-refs had broken lines, and is kept as packed-refs.broken-${now}`];
}

const soundRows = (text: string): string =>
  text
    .split('\n')
    .filter((row) => ROW.test(row))
    .join('\n');

/** Loose objects that git cannot read. A fetch does not replace them while they are there. */
async function setAsideObjects(git: Git, root: string, files: Files, now: number): Promise<readonly string[]> {
  const folder = join(root, '.git', 'objects');
  const aside = join(root, '.git', `objects.broken-${now}`);
  const loose = files
    .names(folder, 1_000)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) => files.names(join(folder, name), 100_000).map((rest) => `${name}${rest}`));
  const stdin = loose.map((sha) => `${sha}\n`).join('');
  const { stdout } = await git.run({ ...read(root, 'cat-file', '--batch-check', '--buffer'), stdin });
  const broken = stdout.split('\n').flatMap((line) => /^([0-9a-f]{40,64}) missing$/.exec(line)?.[1] ?? []);
  for (const sha of broken) {
    files.makeFolder(aside);
    files.rename(join(folder, sha.slice(0, 2), sha.slice(2)), join(aside, sha));
  }
  return broken.length === 0 ? [] : [`${broken.length} objects that git cannot read are kept in ${aside}`];
}

async function brokenRefs(git: Git, root: string): Promise<readonly { readonly ref: string; readonly sha: string }[]> {
  const rows = (await git.run(read(root, 'for-each-ref', '--format=%(objectname) %(refname)'))).stdout.split('\n');
  const refs = rows.flatMap((row) => {
    const [, sha = '', ref = ''] = /^([0-9a-f]{40,64}) (.+)$/.exec(row) ?? [];
    return ref === '' ? [] : [{ ref, sha }];
  });
  const stdin = refs.map(({ sha }) => `${sha}^{tree}\n`).join('');
  const found = (await git.run({ ...read(root, 'cat-file', '--batch-check', '--buffer'), stdin })).stdout.split('\n');
  return refs.filter((_, index) => !/ tree \d+$/.test(found[index] ?? ''));
}

/** As packs of a clone of its own: a fetch refuses while any ref or HEAD of the root names what is gone (git 2.39). */
async function bringObjects({ git, layout, files }: WorkContext, source: string): Promise<readonly string[]> {
  await using scratch = await git.files.scratch();
  const clone = join(scratch.path, 'clone');
  await git.ok(write(scratch.path, 'clone', '--quiet', '--bare', '--no-local', '--', source, clone));
  const from = join(clone, 'objects', 'pack');
  const to = join(layout.root, '.git', 'objects', 'pack');
  files.makeFolder(to);
  const names = files.names(from, 10_000);
  // The index last: git looks for it first.
  for (const name of names.toSorted((one) => (one.endsWith('.idx') ? 1 : -1))) files.copy(join(from, name), join(to, name));
  return [`the objects of ${source} were brought again`];
}
