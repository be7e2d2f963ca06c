import { commandLine } from '../base/shell-quote.ts';

/**
 * A command of git for a person to paste that works in a worktree. Its agent configured the repository, so hooks and the file system
 * monitor are off: they would run as the person, also those of a sandboxed agent.
 */
export const typedGit = (worktree: string, ...args: readonly string[]): string =>
  commandLine('git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-C', worktree, ...args);
