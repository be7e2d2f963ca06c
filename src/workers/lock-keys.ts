/** Keys beside the workers' names. "main" and "start" are fine names for workers, so these hold a character no name can. */
export const LOCK_KEYS = { main: ':main', start: ':start' } as const;
