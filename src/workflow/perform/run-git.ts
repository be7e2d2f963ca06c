import { exchange } from '../../git/exchange/exchange.ts';
import { commitsAhead, mergeBase, readStatus } from '../../git/inspect.ts';
import { type Git, type GitCall, outside, read, write } from '../../git/run.ts';
import { TASK_FOLDER } from '../../workers/prompt/prompts.ts';

/** What a run asks of git. */
export interface RunGit {
  /** What a worker's branch has on top of a commit. */
  work(worktree: string, base: string | null): Promise<Work>;
  /** Whether a commit, or main, contains the folder of tasks: its files would appear among the results of the next stage. */
  hasTaskFolder(commit: string | null): Promise<boolean>;
  /** Keeps a commit for the run, also when its worker is gone. */
  keep(run: string, step: string, commit: string): Promise<void>;
  /** The difference between two commits as a patch; from where the second left main, if the first is null. */
  diff(from: string | null, to: string): Promise<string>;
}

export interface Work {
  readonly head: string;
  readonly ahead: number;
  /** Whether there are changes that are not committed. */
  readonly dirty: boolean;
}

/** The commit of a stage: `refs/llmc/runs/swarm-1/develop`. */
const runRef = (run: string, step: string): string => `refs/llmc/runs/${run}/${step}`;

const keepCall = (root: string, run: string, step: string, commit: string): GitCall => write(root, 'update-ref', runRef(run, step), commit);
const namesCall = (root: string, commit: string): GitCall => read(root, 'ls-tree', '-z', '--name-only', '--end-of-options', commit);
const diffCall = (root: string, from: string, to: string): GitCall =>
  read(root, 'diff', '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--end-of-options', from, to, '--');

/** `main` is the ref of the main branch as of the last fetch. */
export function runGit(git: Git, root: string, main: () => Promise<string>): RunGit {
  return {
    async work(worktree, base) {
      await exchange(git, root, worktree);
      const start = base ?? (await main());
      const [{ head = '', changes }, ahead] = await Promise.all([readStatus(git, worktree), commitsAhead(outside(git), worktree, start)]);
      return { head, ahead, dirty: changes.length > 0 };
    },
    async hasTaskFolder(commit) {
      const names = (await git.ok(namesCall(root, commit ?? (await main())))).split('\0');
      // A file system of macOS does not tell upper case from lower case.
      return names.some((name) => name.toLowerCase() === TASK_FOLDER);
    },
    async keep(run, step, commit) {
      await git.ok(keepCall(root, run, step, commit));
    },
    async diff(from, to) {
      const start = from ?? (await mergeBase(git, root, await main(), to)) ?? to;
      return await git.ok(diffCall(root, start, to));
    },
  };
}
