import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Processes } from '../../src/base/ports.ts';
import { exchange } from '../../src/git/exchange/exchange.ts';
import { trackingRef } from '../../src/git/refs.ts';
import { type Git, openGit } from '../../src/git/run.ts';
import { cloneRoot } from '../../src/git/source/clone.ts';
import { fetchMain } from '../../src/git/source/fetch.ts';
import { inspectSource, type Source } from '../../src/git/source/source.ts';
import { addWorktree } from '../../src/git/worktree/worktree.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { madeOnce } from './made-once.ts';

export interface ScratchOptions {
  /** The branch of the first commit; `null` for a repository without any. */
  readonly branch?: string | null;
  /** Files of the first commit. */
  readonly files?: Readonly<Record<string, string>>;
  readonly bare?: boolean;
  /** The directory's name: try spaces and other alphabets. */
  readonly name?: string;
  /** False leaves the repository without user.name and user.email. */
  readonly identity?: boolean;
}

/** A repository in a separate directory, with git isolated from the settings of the machine and the user. */
export interface ScratchRepo extends AsyncDisposable {
  /** Holds the repository, the empty home and the other files of the test; deleted at the end. */
  readonly dir: string;
  readonly path: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly processes: Processes;
  readonly git: Git;
  /** Runs git in the repository, or in `at`, and returns its trimmed stdout. */
  run(args: readonly string[], at?: string): Promise<string>;
  write(file: string, text: string, at?: string): Promise<void>;
  read(file: string, at?: string): Promise<string>;
  /** Writes the files, commits all of them and returns the commit. */
  commit(message: string, files: Readonly<Record<string, string>>, at?: string): Promise<string>;
}

export async function scratchRepo(options: ScratchOptions = {}): Promise<ScratchRepo> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'llmc-scratch-')));
  const home = join(dir, 'home');
  const path = join(dir, options.name ?? 'source');
  const env = isolated(home);
  const processes = withEnvironment(systemProcesses, env);
  // Reports to no one: the tests of the guard open a git of their own.
  const git = openGit(processes, { guard: { root: rootOf(dir), source: async () => path, onTampering: () => undefined } });
  // As an agent or a user does, without the protection of llmc's own calls.
  const plain = openGit(processes);
  const run = async (args: readonly string[], at = path) => {
    const text = (await plain.ok({ at, access: 'write', args })).trim();
    // llmc takes in the work of a worker before it reads it. A worker that is broken on purpose has nothing to take in.
    const isChanged = !READING.has(args[0] ?? '') && dirname(at) === join(rootOf(dir), '.worktrees');
    if (isChanged) await exchange(git, rootOf(dir), at).catch(() => undefined);
    return text;
  };
  const write = async (file: string, text: string, at = path) => {
    await mkdir(dirname(join(at, file)), { recursive: true });
    await writeFile(join(at, file), text);
  };
  const repo: ScratchRepo = {
    dir,
    path,
    home,
    env,
    processes,
    git,
    run,
    write,
    read: (file, at = path) => readFile(join(at, file), 'utf8'),
    async commit(message, files, at = path) {
      for (const [file, text] of Object.entries(files)) await write(file, text, at);
      await run(['add', '--all'], at);
      await run(['commit', '--quiet', '--allow-empty', '-m', message], at);
      return run(['rev-parse', 'HEAD'], at);
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
  try {
    await mkdir(home);
    await begin(repo, options);
    return repo;
  } catch (error) {
    await repo[Symbol.asyncDispose]();
    throw error;
  }
}

/** The repositories as they were made, before the test did anything. */
const MADE = new WeakMap<ScratchRepo, { readonly kind: string; readonly settings: string }>();

async function begin(repo: ScratchRepo, options: ScratchOptions): Promise<void> {
  const { branch = 'main', files = { 'README.md': 'hello\n' }, bare = false, identity = true, name } = options;
  // A clone names the folder of its source.
  const kind = JSON.stringify({ branch, files, bare, identity, name });
  await madeOnce(kind, repo.path, repo.dir, () => make(repo, { branch, files, bare, identity }));
  MADE.set(repo, { kind, settings: settingsOf(repo) });
}

async function make(repo: ScratchRepo, { branch, files, bare, identity }: Required<Omit<ScratchOptions, 'name'>>): Promise<void> {
  await repo.run(['init', '--quiet', `--initial-branch=${branch ?? 'main'}`, repo.path], '/');
  await identify(repo);
  if (branch !== null) await repo.commit('Begin', files);
  // Make the repository bare afterwards, so that tests can still build the first commit from files.
  if (bare) await makeBare(repo);
  if (!identity) await repo.run(['config', '--remove-section', 'user']);
}

async function identify(repo: ScratchRepo): Promise<void> {
  await repo.run(['config', 'user.name', 'Scratch User']);
  await repo.run(['config', 'user.email', 'scratch@example.test']);
}

async function makeBare(repo: ScratchRepo): Promise<void> {
  const aside = join(repo.dir, 'before-bare');
  await repo.run(['clone', '--quiet', '--bare', '--', repo.path, aside], '/');
  await rm(repo.path, { recursive: true });
  await repo.run(['clone', '--quiet', '--bare', '--', aside, repo.path], '/');
  await repo.run(['remote', 'remove', 'origin']);
  await identify(repo);
  await rm(aside, { recursive: true });
}

function isolated(home: string): Readonly<Record<string, string | undefined>> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: undefined,
    GIT_AUTHOR_EMAIL: undefined,
    GIT_COMMITTER_NAME: undefined,
    GIT_COMMITTER_EMAIL: undefined,
    EMAIL: undefined,
  };
}

/** The same runner with another default environment for each command. */
export function withEnvironment(processes: Processes, env: Readonly<Record<string, string | undefined>>): Processes {
  return { run: (command, options) => processes.run({ ...command, env: { ...env, ...command.env } }, options) };
}

const rootOf = (dir: string): string => join(dir, 'root dir');

/** Commands of git that change neither a commit nor a ref. */
const READING = new Set(['add', 'status', 'rev-parse', 'log', 'show', 'diff', 'config', 'ls-files', 'cat-file', 'rev-list']);

export interface ScratchRoot {
  readonly root: string;
  readonly source: Source;
  /** The commit of main in the root. */
  readonly base: string;
  worktree(worker: string): Promise<string>;
}

/** A root cloned from the repository, in the same scratch directory. */
export async function scratchRoot(repo: ScratchRepo, branch?: string): Promise<ScratchRoot> {
  const root = rootOf(repo.dir);
  const source = await cloned(repo, root, branch);
  const base = await fetchMain(repo.git, root, source.branch, source.path);
  return {
    root,
    source,
    base,
    async worktree(worker) {
      const path = join(root, '.worktrees', worker);
      await addWorktree(repo.git, root, worker, path, trackingRef(source.branch));
      return path;
    },
  };
}

/** Clones the root; copies it if the repository is as it was made, since such a clone was made already. */
async function cloned(repo: ScratchRepo, root: string, branch: string | undefined): Promise<Source> {
  const made = MADE.get(repo);
  const source = await inspectSource(repo.git, repo.path, branch);
  const clone = () => cloneRoot(repo.git, source, root);
  if (made?.settings === settingsOf(repo)) await madeOnce(`${made.kind} ${source.branch} ${made.settings}`, root, repo.dir, clone);
  else await clone();
  return source;
}

/** What a clone takes over: refs, configuration, excludes, and the user's own settings. */
function settingsOf({ path, home }: ScratchRepo): string {
  const git = existsSync(join(path, '.git')) ? join(path, '.git') : path;
  const places = ['HEAD', 'config', 'packed-refs', 'shallow', 'info', 'refs'].map((name) => join(git, name));
  return JSON.stringify([...places, home].map(contentOf));
}

function contentOf(path: string): unknown {
  if (!existsSync(path)) return null;
  return statSync(path).isDirectory() ? readdirSync(path).map((name) => [name, contentOf(join(path, name))]) : readFileSync(path, 'utf8');
}

/** git refuses submodules from a local path without this option. */
export const LOCAL_SUBMODULES = ['-c', 'protocol.file.allow=always'] as const;

/** Makes a repository beside the scratch one and commits it there as the submodule `lib`. Returns the path of its remote. */
export async function addSubmodule(repo: ScratchRepo): Promise<string> {
  const remote = join(repo.dir, 'lib remote');
  await repo.run(['init', '--quiet', '--initial-branch=main', remote], '/');
  await repo.run(['config', 'user.name', 'Library'], remote);
  await repo.run(['config', 'user.email', 'library@example.test'], remote);
  await repo.commit('Begin lib', { 'lib.txt': 'one\n' }, remote);
  await repo.run([...LOCAL_SUBMODULES, 'submodule', '--quiet', 'add', '--', remote, 'lib']);
  await repo.commit('Add lib', {});
  return remote;
}

/** Checks out `lib` in a worktree, with a git identity for commits. */
export async function checkOutSubmodule(repo: ScratchRepo, worktree: string): Promise<string> {
  await repo.run([...LOCAL_SUBMODULES, 'submodule', '--quiet', 'update', '--init'], worktree);
  return await identifyIn(repo, join(worktree, 'lib'));
}

export async function initInside(repo: ScratchRepo, worktree: string, path: string): Promise<string> {
  await repo.run(['init', '--quiet', '--initial-branch=main', join(worktree, path)], '/');
  return await identifyIn(repo, join(worktree, path));
}

async function identifyIn(repo: ScratchRepo, at: string): Promise<string> {
  await repo.run(['config', 'user.name', 'Agent'], at);
  await repo.run(['config', 'user.email', 'agent@example.test'], at);
  return at;
}

/** Signs the later commits in the repository, with a new SSH key. */
export async function signCommits(repo: ScratchRepo): Promise<void> {
  const key = join(repo.dir, 'signing key');
  await repo.processes.run({ file: 'ssh-keygen', args: ['-q', '-t', 'ed25519', '-N', '', '-C', 'scratch', '-f', key], cwd: '/' });
  await repo.write('allowed', `scratch@example.test ${await repo.read('signing key.pub', repo.dir)}`, repo.dir);
  const settings = [
    ['gpg.format', 'ssh'],
    ['user.signingkey', key],
    ['gpg.ssh.allowedSignersFile', join(repo.dir, 'allowed')],
    ['commit.gpgsign', 'true'],
  ] as const;
  for (const [name, value] of settings) await repo.run(['config', name, value]);
}
