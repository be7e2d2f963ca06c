import type { Dialog } from './dialog.ts';
import { type Draft, EMPTY_DRAFT } from './screen/draft.ts';

/** One block of the transcript. */
export type Entry =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'tool'; readonly title: string; readonly output: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'finished'; readonly ms: number }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly type: string; readonly message: string };

export interface State {
  readonly entries: readonly Entry[];
  readonly draft: Draft;
  readonly dialog: Dialog | null;
  /** Start of the running turn. */
  readonly busySince: number | null;
  readonly queue: readonly string[];
  /** Until this time a second Ctrl-C exits. */
  readonly leaveUntil: number | null;
  /** When the agent continues after a usage limit. */
  readonly continuesAt: number | null;
}

export const FIRST_STATE: State = {
  entries: [],
  draft: EMPTY_DRAFT,
  dialog: null,
  busySince: null,
  queue: [],
  leaveUntil: null,
  continuesAt: null,
};
