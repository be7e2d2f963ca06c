/**
 * Why the system refuses to write although nothing is wrong with what is written. Each of these ends without llmc, so llmc waits for
 * it and tries again.
 */
export type Refusal = 'disk_full' | 'read_only' | 'disk_error' | 'database_locked' | 'too_many_files';

const BY_CODE: ReadonlyMap<unknown, Refusal> = new Map([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['EROFS', 'read_only'],
  ['EIO', 'disk_error'],
  ['EMFILE', 'too_many_files'],
  ['ENFILE', 'too_many_files'],
]);

/** The primary result codes of SQLite: BUSY, READONLY, IOERR, FULL. It reports a file system that became read-only as IOERR. */
const BY_RESULT: ReadonlyMap<number, Refusal> = new Map([
  [5, 'database_locked'],
  [8, 'read_only'],
  [10, 'disk_error'],
  [13, 'disk_full'],
]);

/** An error can be its own cause. */
const MOST_CAUSES = 100;

/** The refusal of the system behind an error, however many causes down. */
export function findRefusal(error: unknown, most = MOST_CAUSES): Refusal | undefined {
  if (!(error instanceof Error) || most === 0) return undefined;
  const byCode = 'code' in error ? BY_CODE.get(error.code) : undefined;
  // Extended codes keep the kind in their last byte.
  const byResult = 'errcode' in error && typeof error.errcode === 'number' ? BY_RESULT.get(error.errcode & 0xff) : undefined;
  return byCode ?? byResult ?? findRefusal(error.cause, most - 1);
}

/** The words of the C library, which programs such as git print. llmc starts them with an English locale. */
const BY_WORDS: readonly (readonly [words: RegExp, code: string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/Read-only file system/, 'EROFS'],
  [/Too many open files/, 'EMFILE'],
];

/** For a program that reports a refusal in its output: a cause that `refusalOf` finds. */
export function refusalIn(output: string): Error | undefined {
  const code = BY_WORDS.find(([words]) => words.test(output))?.[1];
  return code === undefined ? undefined : Object.assign(new Error(output), { code });
}
