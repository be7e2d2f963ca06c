export type Landed =
  | { readonly kind: 'landed'; readonly how: 'merge' | 'push'; readonly where: string }
  | { readonly kind: 'already-landed' }
  /** The branch has moved since: rebase and try again. Null: it is gone. */
  | { readonly kind: 'moved'; readonly now: string | null }
  /** With the source's own objects, the change is not the reviewed one. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly files?: readonly string[];
      /** What the user must do before the next attempt. */
      readonly todo?: string;
      /** The checkout that is in the way: the next round of the patrol finds out whether it still is. */
      readonly where?: string;
    };

export interface BranchLanding {
  /** The source's main checkout, or the bare repository. */
  readonly source: string;
  readonly root: string;
  readonly branch: string;
  readonly sha: string;
  /** What the branch was when `sha` was made; null if it did not exist. */
  readonly onto: string | null;
  /** Not the main branch, so that it may be missing. */
  readonly elsewhere?: boolean;
  /** The commit that the reviewed patch is compared with; without it, `onto`. */
  readonly base?: string;
  /** The hash of the reviewed patch; null if nobody reviewed it. */
  readonly reviewed: string | null;
}

export const busyText = (operation: string, where: string): string =>
  `a ${operation} is in progress in ${where}: finish or abort it there first`;

export const goneCheckout = (where: string, branch: string): string =>
  `${branch} is checked out in ${where}, which is gone: run "git worktree prune" in the source`;
