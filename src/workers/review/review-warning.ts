import type { Notable } from './notable/find-notable.ts';

/** Lines of a file, or of the commit message, with something that a reader cannot see or would misread. */
interface Lines {
  /** Null for the commit message. */
  readonly file: string | null;
  /** The first ones. */
  readonly lines: readonly number[];
  /** How many lines there are in all. */
  readonly count: number;
}

/** What a reviewer should know before reading the diff. */
export type ReviewWarning =
  /** The run of the worker says that the work is `unverified` or `partial`. */
  | { readonly kind: 'marked'; readonly run: string; readonly marks: readonly string[] }
  /** The work was built on commits that main had then and has no more. They do not land with it. */
  | {
      readonly kind: 'main_rewritten';
      readonly branch: string;
      /** The newest ones. */
      readonly commits: readonly { readonly commit: string; readonly subject: string }[];
      readonly count: number;
    }
  | (Lines & {
      /** Commands to a terminal; characters that reorder the text; characters without a glyph. */
      readonly kind: 'control' | 'reordering' | 'hidden';
      /** `U+202E`, each once. */
      readonly characters: readonly string[];
    })
  | (Lines & { readonly kind: 'look_alike'; readonly words: readonly string[] })
  /** `resembles`: another name of the same folder that this one can be mistaken for. */
  | { readonly kind: 'misleading_name'; readonly file: string; readonly resembles: string | null }
  | { readonly kind: 'link'; readonly file: string; readonly target: string; readonly outside: boolean }
  | { readonly kind: 'submodule'; readonly file: string; readonly before: string | null; readonly after: string | null }
  | { readonly kind: 'mode'; readonly file: string; readonly before: string; readonly after: string }
  /** A file that acts by itself. */
  | ({ readonly kind: 'notable' } & Notable)
  /** Git shows no lines of these, or the diff is too long for them. */
  | { readonly kind: 'binary' | 'omitted'; readonly files: readonly string[]; readonly count: number };
