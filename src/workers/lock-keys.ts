/**
 * Lock keys besides the workers' names. A worker can be named "main" or "start", so these contain a character that no name can have.
 * A caller that needs the lock of a worker and `main` takes that of the worker first.
 */
export const LOCK_KEYS = {
  main: ':main',
  start: ':start',
  afterAccept: ':after-accept',
  undo: ':undo',
  branch: ':branch',
  clean: ':clean',
  pool: ':pool',
} as const;

/** For a CLI whose processes must not start in the same moment. */
export const launchKey = (agent: string): string => `:launch ${agent}`;
