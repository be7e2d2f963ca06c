import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CONFLICT_STYLE } from '../../src/git/rebase/conflict/repeat-merge.ts';
import { rebaseCall } from '../../src/git/rebase/rebase.ts';
import { fetchMain } from '../../src/git/source/fetch.ts';
import { type ScratchRepo, scratchRoot } from './scratch-repo.ts';

export interface Link {
  readonly link: string;
}
export interface Program {
  readonly program: string;
}
/** Files by path: text, bytes, a link, an executable file, or null to delete it. */
export type Tree = Readonly<Record<string, string | Uint8Array | Link | Program | null>>;

/** One commit: its subject, its files, and files to rename first. */
export interface Step {
  readonly subject?: string;
  readonly rename?: Readonly<Record<string, string>>;
  readonly files?: Tree;
  /** Commits of submodules that are not checked out, by path. */
  readonly submodules?: Readonly<Record<string, string>>;
}

export async function put(at: string, files: Tree): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(at, path);
    await rm(file, { recursive: true, force: true });
    if (content === null) continue;
    await mkdir(dirname(file), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(file, content);
    else if ('link' in content) await symlink(content.link, file);
    else {
      await writeFile(file, content.program);
      await chmod(file, 0o755);
    }
  }
}

export async function commitStep(
  repo: ScratchRepo,
  at: string,
  { subject = 'Change', rename = {}, files = {}, submodules = {} }: Step,
): Promise<string> {
  for (const [from, to] of Object.entries(rename)) {
    await mkdir(dirname(join(at, to)), { recursive: true });
    await repo.run(['mv', '--', from, to], at);
  }
  await put(at, files);
  for (const [path, hash] of Object.entries(submodules)) {
    // git keeps a submodule whose folder is empty.
    await mkdir(join(at, path), { recursive: true });
    await repo.run(['update-index', '--add', '--cacheinfo', `160000,${hash},${path}`], at);
  }
  return repo.commit(subject, {}, at);
}

export interface Conflicting {
  readonly worktree: string;
  readonly head: string;
  readonly onto: string;
  /** The worker's commits, oldest first. */
  readonly commits: readonly string[];
}

interface Sides {
  readonly main: readonly Step[];
  readonly worker: readonly Step[];
  /** Without it, the style in which llmc starts a rebase. */
  readonly style?: 'merge';
}

/** A worktree whose rebase onto main has stopped. */
export async function conflicting(
  repo: ScratchRepo,
  steps: Sides & { readonly base: Tree; readonly submodules?: Step['submodules'] },
): Promise<Conflicting> {
  await commitStep(repo, repo.path, { subject: 'Base', files: steps.base, ...(steps.submodules && { submodules: steps.submodules }) });
  const { root, worktree: make } = await scratchRoot(repo);
  return stopRebase(repo, root, await make('adam'), steps);
}

/** Commits on both sides, then rebases the worktree onto main. */
export async function stopRebase(repo: ScratchRepo, root: string, worktree: string, steps: Sides): Promise<Conflicting> {
  const commits: string[] = [];
  for (const step of steps.worker) commits.push(await commitStep(repo, worktree, step));
  for (const step of steps.main) await commitStep(repo, repo.path, step);
  const onto = await fetchMain(repo.git, root, 'main', repo.path);
  const call = rebaseCall(worktree, onto);
  await repo.git.run({ ...call, args: steps.style === 'merge' ? call.args : [...CONFLICT_STYLE, ...call.args] });
  return { worktree, onto, head: commits.at(-1) ?? '', commits };
}
