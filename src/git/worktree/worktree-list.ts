import { type GitCall, read } from '../run.ts';

export interface Worktree {
  readonly path: string;
  /** Undefined for the entry of a bare repository. */
  readonly head: string | undefined;
  /** Short name; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  readonly locked: boolean;
  /** Why git would prune the entry, usually because the directory is gone. */
  readonly prunable: string | undefined;
}

/** Lists all worktrees, the main checkout first. */
export const listWorktreesCall = (repository: string): GitCall => read(repository, 'worktree', 'list', '--porcelain', '-z');

/** Each attribute ends with NUL. An empty attribute ends a record. */
export function parseWorktrees(text: string): Worktree[] {
  return text
    .split('\0\0')
    .filter((record) => record !== '')
    .map((record) => {
      const lines = record.split('\0');
      const value = (name: string): string | undefined => {
        const found = lines.find((line) => line === name || line.startsWith(`${name} `));
        return found?.slice(name.length + 1);
      };
      return {
        path: value('worktree') ?? '',
        head: value('HEAD'),
        branch: value('branch')?.replace(/^refs\/heads\//, ''),
        bare: value('bare') !== undefined,
        locked: value('locked') !== undefined,
        prunable: value('prunable'),
      };
    });
}
