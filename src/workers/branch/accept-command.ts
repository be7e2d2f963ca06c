import { commandLine } from '../../base/shell-quote.ts';

/** The accept to type again: without its branch, it would land on main. */
export function acceptCommand(worker: string, branch: string | null | undefined, ...options: readonly string[]): string {
  return commandLine('llmc', 'accept', worker, ...(branch == null ? [] : ['--branch', branch]), ...options);
}
