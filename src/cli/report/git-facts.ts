import type { Processes } from '../../base/ports.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { guardedGit } from '../../doctor/guarded-git.ts';
import { readStatus } from '../../git/inspect.ts';
import { type Git, read, splitZ } from '../../git/run.ts';

export interface GitFacts {
  ofWorktree(path: string): Promise<unknown>;
  ofRoot(): Promise<unknown>;
}

const COMMITS = 20;
const MOST_PATHS = 500;
/** A worktree with a pipe in an odd place must not keep the report waiting. */
const TIMEOUT_MS = 20_000;

/** Reads with llmc's own git, which runs nothing that an agent configured. Names and states only, no contents. */
export function gitFacts(root: string, processes: Processes): GitFacts {
  const bounded: Processes = { run: (command, options) => processes.run(command, { ...options, timeoutMs: TIMEOUT_MS }) };
  const git = guardedGit({ root, processes: bounded, config: async () => (await loadConfigInForce(root)).config });
  return {
    async ofWorktree(path) {
      const { head, branch, changes } = await readStatus(git, path);
      return {
        head,
        branch,
        changes: changes.slice(0, MOST_PATHS),
        more_changes: Math.max(0, changes.length - MOST_PATHS),
        commits: await commits(git, path),
      };
    },
    async ofRoot() {
      const [remotes, branches] = await Promise.all([
        git.ok(read(root, 'remote', '-v')),
        git.ok(read(root, 'for-each-ref', '--format=%(refname) %(objectname)', `--count=${MOST_PATHS}`, 'refs/heads', 'refs/llmc')),
      ]);
      return { version: (await git.ok(read(root, 'version'))).trim(), remotes: lines(remotes), refs: lines(branches) };
    },
  };
}

async function commits(git: Git, path: string): Promise<unknown> {
  const text = await git.ok(read(path, 'log', '-z', '--no-show-signature', `--max-count=${COMMITS}`, '--format=%H %ct %s', 'HEAD', '--'));
  return splitZ(text);
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
