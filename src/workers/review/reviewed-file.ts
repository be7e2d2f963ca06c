import type { ChangedFile } from '../../git/changed-files.ts';
import type { ReviewedFile } from './review-result.ts';

/** A changed file as a review shows it. */
export function reviewedFile({ path, status, added, removed, binary, modes, hashes }: ChangedFile): ReviewedFile {
  const blob = (side: 'before' | 'after') => (modes[side] === '000000' || modes[side] === '160000' ? null : hashes[side]);
  return { path, status, added, removed, binary, before: blob('before'), after: blob('after') };
}
