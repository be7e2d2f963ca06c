import { dirname } from 'node:path';
import { describeError, LlmcError } from './error.ts';
import { findRefusal } from './refusal.ts';
import { refusalHint, refusalText } from './refusal-text.ts';

/** Turns a refusal by the system into an error with a hint. Any other unexpected error is a bug in llmc. */
export function toKnownError(error: unknown): LlmcError {
  if (error instanceof LlmcError) return error;
  const refusal = findRefusal(error);
  if (refusal !== undefined)
    return new LlmcError(
      refusal === 'read_only' ? 'PERMISSION_DENIED' : 'FILESYSTEM_ERROR',
      `${refusalText(refusal)}: ${describeError(error)}`,
      { hint: `${refusalHint(refusal, findFolder(error))}. Then try again.`, cause: error },
    );
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM') {
    return new LlmcError('PERMISSION_DENIED', describeError(error), {
      hint: 'Check the owner and the permissions of that path, or choose another path.',
      cause: error,
    });
  }
  // A file where a folder has to be, or the other way round.
  if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST')
    return new LlmcError('FILESYSTEM_ERROR', describeError(error), { hint: 'llmc doctor', cause: error });
  return new LlmcError('INTERNAL', describeError(error), {
    hint: 'This is a bug in llmc. Run it again with --verbose and report what it prints.',
    cause: error,
  });
}

/** The folder of the file that Node could not write: the file itself may not exist, and df and findmnt need one that does. */
function findFolder(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? dirname(error.path) : undefined;
}
