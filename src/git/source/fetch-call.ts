import { type GitCall, write } from '../run.ts';

/**
 * Fetches objects and moves only the named ref: no tag, no FETCH_HEAD, no clean-up, because the repository may be the user's.
 * Protocol 2 can fetch a commit that no ref names.
 */
export const fetchCall = (into: string, from: string, what: string, ...options: readonly string[]): GitCall =>
  write(
    into,
    ...['-c', 'protocol.version=2', 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head'],
    ...['--no-auto-maintenance', '--no-recurse-submodules', ...options, '--', from, what],
  );
