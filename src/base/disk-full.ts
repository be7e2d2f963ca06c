const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Whether a full disk or an exhausted quota is behind an error, however many causes down. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && FULL.includes(error.code)) || isDiskFull(error.cause);
}

/** For a program that reports a full disk in its output: a cause that `isDiskFull` finds. */
export function diskFull(output: string): Error {
  return Object.assign(new Error(output), { code: 'ENOSPC' });
}
