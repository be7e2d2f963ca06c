import { readFile, stat } from 'node:fs/promises';

/** The text of a file, or the reason why it cannot be read. */
export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Reads also a pipe, as in `--file <(command)`, but not with `largestBytes`: a file that llmc reads by itself must be a plain one of at
 * most this size, because a pipe without a writer would be waited for without end.
 */
export async function readTextFile(path: string, largestBytes?: number): Promise<TextFile> {
  let bytes: Uint8Array;
  try {
    if (largestBytes !== undefined) {
      const found = await stat(path);
      if (!found.isFile()) return { kind: 'failed', reason: 'it is not a plain file' };
      if (found.size > largestBytes) return { kind: 'failed', reason: `it is larger than ${largestBytes} bytes` };
    }
    bytes = await readFile(path);
  } catch (error) {
    return obstacle(error);
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'not-utf8' };
  }
}

function obstacle(error: unknown): TextFile {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'denied' };
  return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
}
