import { join } from 'node:path';
import type { RunOptions } from '../../base/ports.ts';
import { type Git, type GitAnswer, type GitCall, toAnswer } from '../run.ts';

export interface ImportLimit extends RunOptions {
  /** The largest file that git may write: a pack, or one object. */
  readonly mostBytes: number;
  /** Whether the form of each object is checked (fsck). Hashes always are. */
  readonly form?: boolean;
}

/**
 * A fixed script that takes its values as arguments. git 2.39 has no limit for what a fetch receives, so the kernel limits the size of
 * a file, in blocks of 512 bytes. The signal is off: git then prints the error.
 */
const SCRIPT = `trap '' XFSZ; ulimit -f "$1"; shift; exec git "$@"`;
const BLOCK_BYTES = 512;

/** Runs a fetch in the root that fails, with `tooLarge`, before a file in the root's objects gets larger than the limit. */
export async function limitedFetch(
  git: Git,
  root: string,
  call: GitCall,
  { mostBytes, ...options }: ImportLimit,
): Promise<GitAnswer & { readonly tooLarge: boolean }> {
  const blocks = Math.ceil(mostBytes / BLOCK_BYTES);
  const { args, ...command } = await git.command(call);
  const limited = { ...command, file: 'sh', args: ['-c', SCRIPT, 'llmc-import', String(blocks), ...args] };
  const answer = toAnswer(await git.processes.run(limited, options), call);
  // In git's own words, which `environment.ts` keeps in English.
  const tooLarge = answer.status !== 0 && answer.stderr.includes('File too large');
  if (tooLarge) await removeCutFile(git, root, blocks);
  return { ...answer, tooLarge };
}

/** git leaves the file that it could not finish. No other one has exactly this size. */
async function removeCutFile({ processes }: Git, root: string, blocks: number): Promise<void> {
  const filter = ['-type', 'f', '-name', 'tmp_*', '-size', `${blocks * BLOCK_BYTES}c`];
  await processes.run({ file: 'find', args: [join(root, '.git', 'objects'), ...filter, '-delete'], cwd: '/' });
}
