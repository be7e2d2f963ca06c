import { commandLine } from '../../base/shell-quote.ts';

/** What to type if work cannot land on a branch because of what is there. */
export function anotherBranch(worker: string, branch: string | null): string {
  return `Choose another branch: ${commandLine('llmc', 'accept', worker, '--branch', `${branch ?? worker}-2`)}`;
}
