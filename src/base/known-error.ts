import { dirname } from 'node:path';
import { LlmcError, messageOf } from './error.ts';
import { refusalOf } from './refusal.ts';
import { refusalHint, refusalText } from './refusal-text.ts';

/** Turns a refusal by the system into an error with a hint. Any other unexpected error is a bug in llmc. */
export function toKnownError(error: unknown): LlmcError {
  if (error instanceof LlmcError) return error;
  const refusal = refusalOf(error);
  if (refusal !== undefined)
    return new LlmcError(
      refusal === 'read_only' ? 'PERMISSION_DENIED' : 'FILESYSTEM_ERROR',
      `${refusalText(refusal)}: ${messageOf(error)}`,
      { hint: `${refusalHint(refusal, folderOf(error))}. Then try again.`, cause: error },
    );
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM') {
    return new LlmcError('PERMISSION_DENIED', messageOf(error), {
      hint: 'Check the owner and the permissions of that path, or choose another path.',
      cause: error,
    });
  }
  // A file where a folder has to be, or the other way round.
  if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST')
    return new LlmcError('FILESYSTEM_ERROR', messageOf(error), { hint: 'llmc doctor', cause: error });
  return new LlmcError('INTERNAL', messageOf(error), {
    hint: 'This is a bug in llmc. Run it again with --verbose and report what it prints.',
    cause: error,
  });
}

/** The folder of the file that Node could not write: the file itself may not exist, and df and findmnt need one that does. */
function folderOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? dirname(error.path) : undefined;
}
