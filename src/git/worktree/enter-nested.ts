import { join } from 'node:path';
import { type Git, type GitCall, read } from '../run.ts';
import { parseSettings } from '../source/local-config.ts';
import { type Closed, findGitDir, type GitDir } from './git-dir.ts';
import { nestedConfig } from './nested-config.ts';

/** A repository that git works in: the worktree of a worker, or a nested one. */
export interface Repository {
  readonly git: Git;
  readonly at: string;
}

/** A nested repository that git works in without reading its configuration, its hooks or its attributes. */
export interface Entered extends Repository, AsyncDisposable {
  /** Another repository can fetch from this path. */
  readonly path: string;
  readonly remotes: ReadonlyMap<string, string>;
  /** A second worktree of the worker's own repository. */
  readonly ofWorker: boolean;
}

const listCall = (text: string): GitCall => ({ ...read('/', 'config', '--file', '-', '--no-includes', '--list', '-z'), stdin: text });

/** A configuration of a megabyte is not one that git wrote. */
const CONFIG_LIMIT = 1_048_576;
/** What git keeps beside the configuration. Everything else in the folder that git gets is llmc's own. */
const SHARED = ['refs', 'packed-refs', 'objects', 'shallow', 'logs', 'info/exclude'];

/**
 * Makes git work in the repository at `path` below a worktree, or returns why it may not. Its configuration can name programs (a
 * file system monitor, filters, hooks), so git gets a folder of llmc's own in place of the repository's common directory: with
 * links to refs and objects, and with a configuration that llmc wrote. HEAD and index stay where they are.
 * A change of the configuration after this check has no effect.
 */
export async function enterNested(git: Git, worktree: string, path: string): Promise<Entered | Closed> {
  const found = await findGitDir(git, worktree, path);
  if ('closed' in found) return found;
  const config = found.ofWorker ? nestedConfig([]) : await readConfig(git, found);
  if ('closed' in config) return config;
  const scratch = await git.files.scratch();
  await scratch.write('HEAD', 'ref: refs/heads/none\n');
  await scratch.write('config', config.text);
  for (const name of SHARED) {
    const target = join(found.commonDir, name);
    if (await git.files.exists(target)) await scratch.link(name, target);
  }
  const at = join(worktree, path);
  const env = { GIT_DIR: found.gitDir, GIT_COMMON_DIR: scratch.path, GIT_WORK_TREE: at, ...SAFE };
  return {
    git: bound(git, env),
    at,
    path: scratch.path,
    remotes: config.remotes,
    ofWorker: found.ofWorker,
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

/** The agent chose the addresses of the remotes: no `ext::<command>`, no helper program. */
const SAFE = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };

async function readConfig(git: Git, { gitDir }: GitDir) {
  const text = await git.files.readPlain(join(gitDir, 'config'), CONFIG_LIMIT);
  const listed = text === undefined ? undefined : await git.run(listCall(text));
  if (listed?.status !== 0) return { closed: 'its configuration cannot be read' };
  return nestedConfig(parseSettings(listed.stdout));
}

/** The same git with these variables in each call. */
export function bound(git: Git, env: Readonly<Record<string, string>>): Git {
  const within = (call: GitCall): GitCall => ({ ...call, env: { ...env, ...call.env } });
  return {
    ...git,
    run: (call, options) => git.run(within(call), options),
    ok: (call, options) => git.ok(within(call), options),
    command: (call) => git.command(within(call)),
  };
}
