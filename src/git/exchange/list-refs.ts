import { type GitCall, read } from '../run.ts';

export const refsCall = (at: string, ...patterns: readonly string[]): GitCall =>
  read(at, 'for-each-ref', '--format=%(objectname) %(refname) %(symref)', ...patterns);

const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** A hash as git prints it; undefined for anything else, because a git in a sandbox may print what its agent wants. */
export const asSha = (text: string | undefined): string | undefined => (text !== undefined && SHA.test(text) ? text : undefined);

/** Hashes by the full name of the ref, without symbolic ones. */
export function parseRefs(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').map((row) => row.split(' '));
  return new Map(
    rows.flatMap(([sha, name = '', symref = '']) => (asSha(sha) === undefined || symref !== '' ? [] : [[name, sha ?? ''] as const])),
  );
}
