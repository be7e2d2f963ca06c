import { isDiskFull } from './disk-full.ts';
import { LlmcError, messageOf } from './error.ts';

/** Turns a refusal by the system into an error with a hint. Any other unexpected error is a bug in llmc. */
export function toKnownError(error: unknown): LlmcError {
  if (error instanceof LlmcError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new LlmcError('PERMISSION_DENIED', messageOf(error), {
      hint: 'Check the owner and the permissions of that path, or choose another path.',
      cause: error,
    });
  }
  if (isDiskFull(error))
    return new LlmcError('FILESYSTEM_ERROR', `the disk is full: ${messageOf(error)}`, {
      hint: 'Free some disk space, then try again.',
      cause: error,
    });
  return new LlmcError('INTERNAL', messageOf(error), {
    hint: 'This is a bug in llmc. Run it again with --verbose and report what it prints.',
    cause: error,
  });
}
