import type { OneSide } from './proof.ts';

export type Content =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  /** A binary file, a link or a submodule. */
  | { readonly kind: 'opaque' }
  /** Not read, because of its size. */
  | { readonly kind: 'large' };

export interface FileVersion {
  readonly path: string;
  /** Six digits, as git writes them. */
  readonly mode: string;
  /** The hash of the content. */
  readonly id: string;
  readonly content: Content;
}

/** One file in the four trees, under the names that each tree has for it. */
export interface TreeFile {
  readonly base: FileVersion | null;
  readonly main: FileVersion | null;
  readonly worker: FileVersion | null;
  readonly result: FileVersion | null;
}

export const VERSIONS = ['base', 'main', 'worker', 'result'] as const;

export const listLines = (version: FileVersion | null): readonly string[] =>
  version?.content.kind === 'lines' ? version.content.lines : [];

export const pickPath = ({ base, main, worker, result }: TreeFile): string => (main ?? worker ?? result ?? base)?.path ?? '';

/** What a merge of both sides can have: the changed one of two, or either if both changed it in different ways. */
export function mergedFrom<Value>(base: Value, main: Value, worker: Value): readonly Value[] {
  if (main === worker || worker === base) return [main];
  return main === base ? [worker] : [main, worker];
}

/** The side that deleted a file which the other one has. */
export function deletedBy({ base, main, worker }: TreeFile): OneSide | undefined {
  if (base === null || (main === null) === (worker === null)) return undefined;
  return main === null ? 'main' : 'worker';
}

export const isChanged = (before: FileVersion | null, after: FileVersion | null): boolean =>
  before?.id !== after?.id || before?.mode !== after?.mode || before?.path !== after?.path;
