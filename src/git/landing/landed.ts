export type Landed =
  | { readonly kind: 'landed'; readonly how: 'merge' | 'push'; readonly where: string }
  | { readonly kind: 'already-landed' }
  /** Main has moved since: rebase and try again. */
  | { readonly kind: 'moved'; readonly now: string }
  /** With the source's own objects, the change is not the reviewed one. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly files?: readonly string[];
      /** What the user must do before the next attempt. */
      readonly todo?: string;
    };

export interface Landing {
  /** The source's main checkout, or the bare repository. */
  readonly source: string;
  readonly root: string;
  readonly branch: string;
  readonly sha: string;
  /** What main was when `sha` was made. */
  readonly onto: string;
  /** The hash of the reviewed patch; null if nobody reviewed it. */
  readonly reviewed: string | null;
}

export const busy = (operation: string, where: string): string =>
  `a ${operation} is in progress in ${where}: finish or abort it there first`;

export const goneCheckout = (where: string): string =>
  `main is checked out in ${where}, which is gone: run "git worktree prune" in the source`;
