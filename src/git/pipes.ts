import { join, relative } from 'node:path';
import { LlmcError } from '../base/error.ts';
import type { Clock, Processes } from '../base/ports.ts';
import { commandLine } from '../base/shell-quote.ts';
import { ownRepository, storeFolder } from './private/place.ts';

/** git opens a pipe in place of a file that it reads, and waits until another process writes to it. Few calls take this long. */
const LOOK_AFTER_MS = 3_000;
const LIMIT = { timeoutMs: 60_000 };

/** Looks for a pipe that a git call may be waiting for. */
export type FindPipe = () => Promise<string | undefined>;

/** Looks where an agent can put one: into the worktree of the call, and into the git folder. Undefined for a call elsewhere. */
export function pipeFinder(processes: Processes, root: string | undefined, at: string): FindPipe | undefined {
  if (root === undefined) return undefined;
  const [first, worker = ''] = relative(root, at).split('/');
  if (first === '..') return undefined;
  const worktree = join(root, '.worktrees', worker);
  const gitFolder = first === '.worktrees' || first === 'sandbox' ? ownRepository(root, worker) : storeFolder(root);
  const find = async (folder: string, ...filter: readonly string[]) => {
    const { stdout } = await processes.run({ file: 'find', args: [folder, '-type', 'p', ...filter, '-print', '-quit'], cwd: '/' }, LIMIT);
    return stdout === '' ? undefined : stdout.replace(/\n$/, '');
  };
  return async () =>
    (first === '.worktrees' ? await find(worktree, '(', '-name', '.git*', '-o', '-path', '*/.git/*', ')') : undefined) ??
    (await find(gitFolder));
}

/** Runs a call of git, and ends it with a reason once it takes long and there is a pipe. */
export async function endAtPipe<T>(clock: Clock, find: FindPipe | undefined, run: (stop?: AbortSignal) => Promise<T>): Promise<T> {
  if (find === undefined) return run();
  const [over, stop] = [new AbortController(), new AbortController()];
  let pipe: string | undefined;
  const watch = async () => {
    while (pipe === undefined) {
      await clock.sleep(LOOK_AFTER_MS, over.signal);
      pipe = await find();
    }
    stop.abort();
  };
  // It ends with the call.
  watch().catch(() => undefined);
  try {
    const finished = await run(stop.signal);
    if (pipe === undefined || !stop.signal.aborted) return finished;
  } finally {
    over.abort();
  }
  throw new LlmcError('GIT_FAILED', `${pipe} is a named pipe, and git would wait for it for ever`, {
    hint: `Remove it, then try again: ${commandLine('rm', '--', pipe)}`,
  });
}
