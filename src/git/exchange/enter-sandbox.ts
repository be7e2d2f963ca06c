import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { localRef, workerBranch } from '../refs.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { parseRefs, refsCall } from './refs-of.ts';

export interface Entry {
  readonly root: string;
  readonly worker: string;
  readonly worktree: string;
  /** The folder that takes the place of the root's `.git` inside the sandbox. */
  readonly store: string;
  /** Where the root's `.git` is inside, read-only: a folder below it, or `.` for itself. */
  readonly shared: string;
  /** More settings of the private `.git`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What the root and a private `.git` both need: the settings of git, files to ignore. */
const COPIED = ['config', 'HEAD', join('info', 'exclude')];
const setCall = (root: string, file: string, key: string, value: string): GitCall => read(root, 'config', '--file', file, key, value);

/** Files of a private `.git`, written before any agent can write there. The objects of the root are its alternates. */
export interface StoreFiles {
  exists(path: string): boolean;
  readText(path: string): string | undefined;
  writePrivate(path: string, content: string): void;
  makeFolder(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

/**
 * Gives a worker a `.git` of its own: branch, index and settings as they are now. From then on its git runs in the sandbox, and
 * `exchange` brings commits out. Safe to repeat; a half-made one is made again.
 */
export async function enterSandbox(git: Git, files: StoreFiles, entry: Entry): Promise<void> {
  const { root, worker, worktree, store, shared, settings = {} } = entry;
  if (files.exists(store)) return;
  const common = join(root, '.git');
  const admin = join(common, 'worktrees', worker);
  if (files.readText(join(worktree, '.git'))?.trim() !== `gitdir: ${admin}`)
    throw new LlmcError('SANDBOX_FAILED', `${worktree} is not connected to ${admin}`, {
      hint: `llmc reset ${worker} makes it again; its work is saved first.`,
    });
  const draft = `${store}.new`;
  files.remove(draft);
  for (const folder of [join('objects', 'info'), join('objects', 'pack'), join('refs', 'heads'), 'worktrees', 'rr-cache', shared])
    files.makeFolder(join(draft, folder));
  for (const name of COPIED) files.writePrivate(join(draft, name), files.readText(join(common, name)) ?? '');
  files.writePrivate(join(draft, 'objects', 'info', 'alternates'), `${join(common, shared, 'objects')}\n`);
  const refs = parseRefs(await git.ok(refsCall(root, localRef(workerBranch(worker)), 'refs/remotes/origin')));
  const rows = [...refs].map(([name, sha]) => `${sha} ${name}\n`);
  files.writePrivate(join(draft, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${rows.join('')}`);
  await git.ok(setCall(root, join(draft, 'config'), 'remote.origin.url', join(common, shared)));
  await git.ok(setCall(root, join(draft, 'config'), 'remote.origin.fetch', '+refs/remotes/origin/*:refs/remotes/origin/*'));
  for (const [key, value] of Object.entries(settings)) await git.ok(setCall(root, join(draft, 'config'), key, value));
  const copied = await git.processes.run({ file: 'cp', args: ['-a', '--', admin, join(draft, 'worktrees', worker)] });
  if (copied.outcome.kind !== 'exited' || copied.outcome.status !== 0)
    throw new LlmcError('SANDBOX_FAILED', `${admin} cannot be copied`, { details: copied.stderr.trim() });
  files.rename(draft, store);
}
