import { LlmcError, messageOf } from './error.ts';

/** What the system refuses is no bug: it is said in words, with a way out. Anything else that was not foreseen is one. */
export function toKnownError(error: unknown): LlmcError {
  if (error instanceof LlmcError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new LlmcError('PERMISSION_DENIED', messageOf(error), { hint: 'Check who owns that place, or choose another.', cause: error });
  }
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new LlmcError('FILESYSTEM_ERROR', `the disk is full: ${messageOf(error)}`, { hint: 'Make room, then try again.', cause: error });
  return new LlmcError('INTERNAL', messageOf(error), {
    hint: 'This is a bug in llmc. Run it again with --verbose and report what it prints.',
    cause: error,
  });
}
