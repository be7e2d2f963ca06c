import { hashText } from '../artifacts.ts';
import type { PerformContext } from '../context.ts';

/** What a person reads of work that was not finished. More would fill the disk with what an agent repeats. */
const MOST_FILES = 50;
const LARGEST_FILE = 1024 * 1024;
const MOST_BYTES = 10 * LARGEST_FILE;

interface Unfinished {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  /** Files that were taken as its result, by their hashes. */
  readonly stored: Readonly<Record<string, string>>;
  readonly worktree: string;
}

/** Keeps the texts that an agent had left when it was stopped. Links, pipes, binary and larger files stay in its worktree. Safe to repeat. */
export async function keepPartial(
  { exchange, artifacts }: Pick<PerformContext, 'exchange' | 'artifacts'>,
  { run, step, attempt, stored, worktree }: Unfinished,
): Promise<void> {
  let left = MOST_BYTES;
  for (const path of (await exchange.list(worktree)).slice(0, MOST_FILES)) {
    const found = await exchange.read(worktree, path, Math.min(LARGEST_FILE, left));
    if (found.kind !== 'text' || found.text.trim() === '' || found.text.includes('\0')) continue;
    if (stored[path] === hashText(found.text)) continue;
    left -= Buffer.byteLength(found.text);
    artifacts.storePartial(run, `${step}-${attempt}`, path, found.text);
  }
}
