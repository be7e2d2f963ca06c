export interface TakingBack {
  /** The source's main checkout, or the bare repository. */
  readonly source: string;
  readonly root: string;
  readonly branch: string;
  /** The commit to take back, and the one before it. */
  readonly landed: string;
  readonly onto: string;
}

export type TakenBack =
  | { readonly kind: 'taken-back' }
  | { readonly kind: 'already-back' }
  /** The branch is another commit by now; null if it is gone. */
  | { readonly kind: 'moved'; readonly now: string | null }
  /** A remote of the source has the commit. */
  | { readonly kind: 'published'; readonly ref: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly files?: readonly string[]; readonly todo?: string };
