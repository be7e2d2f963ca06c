import { randomUUID } from 'node:crypto';
import { type Git, type GitCall, read } from '../../run.ts';

/** What is behind a name of git. */
export type Blob =
  | { readonly kind: 'text'; readonly text: string }
  /** Larger than the limits, or with a NUL character. */
  | { readonly kind: 'unread'; readonly why: 'large' | 'binary' };

/** A conflict in a larger file is described without its lines. */
export const LARGEST_BLOB = 1024 * 1024;
const LARGEST_TOTAL = 16 * 1024 * 1024;

const catCall = (worktree: string, how: '--batch' | '--batch-check', stdin: string): GitCall => ({
  ...read(worktree, 'cat-file', how, '-z'),
  stdin,
});

/** Reads files by hash or as `<tree>:<path>`, with two processes for all of them. A name without a file is not in the answer. */
export async function readBlobs(git: Git, worktree: string, names: readonly string[]): Promise<ReadonlyMap<string, Blob>> {
  const asked = [...new Set(names)];
  if (asked.length === 0) return new Map();
  const blobs = new Map<string, Blob>();
  const wanted: string[] = [];
  let total = 0;
  for (const [name, answer] of await ask(git, worktree, '--batch-check', asked)) {
    const size = Number(/^[0-9a-f]{40,64} blob (\d+)\n$/.exec(answer)?.[1] ?? Number.NaN);
    if (Number.isNaN(size)) continue;
    if (size > LARGEST_BLOB || total + size > LARGEST_TOTAL) blobs.set(name, { kind: 'unread', why: 'large' });
    else {
      wanted.push(name);
      total += size;
    }
  }
  for (const [name, answer] of await ask(git, worktree, '--batch', wanted)) {
    const text = answer.slice(answer.indexOf('\n') + 1, -1);
    blobs.set(name, text.includes('\0') ? { kind: 'unread', why: 'binary' } : { kind: 'text', text });
  }
  return blobs;
}

/**
 * Asks for a name that does not exist after each real one. Its answer separates the others: their sizes are in bytes, which the
 * decoded text does not have, and a file can contain every line except this random one.
 */
async function ask(git: Git, worktree: string, how: '--batch' | '--batch-check', names: readonly string[]): Promise<[string, string][]> {
  if (names.length === 0) return [];
  const gap = `gap-${randomUUID()}`;
  const output = await git.ok(catCall(worktree, how, names.map((name) => `${name}\0${gap}\0`).join('')));
  const answers = output.split(`${gap} missing\n`);
  return names.map((name, index) => [name, answers[index] ?? '']);
}
