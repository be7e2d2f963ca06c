/** The two sides of a conflict in a rebase. git calls main's side "ours" (stage 2) and the worker's side "theirs" (stage 3). */
export type ConflictSide = 'main' | 'worker';

/** One version of a file in the index. */
export interface IndexStage {
  /** Six digits, as git writes them. */
  readonly mode: string;
  readonly hash: string;
}

/** What clashes. Every path is relative to the top of the worktree. */
export type Clash =
  | { readonly kind: 'content' }
  /** Both sides created the file. */
  | { readonly kind: 'add/add' }
  /** One side deleted the file, and the other one changed it. */
  | { readonly kind: 'delete/modify'; readonly deletedBy: ConflictSide }
  /** Each side gave the file another name. The index has one entry for each of the three names. */
  | { readonly kind: 'rename/rename'; readonly from: string; readonly main: string; readonly worker: string }
  | { readonly kind: 'rename/delete'; readonly from: string; readonly renamedBy: ConflictSide }
  /** One side has a file where the other one has a folder. git moved the file of `fileOf` out of the way, from `wanted` to this path. */
  | { readonly kind: 'directory/file'; readonly wanted: string; readonly fileOf: ConflictSide }
  /** The same content, but not the same mode. */
  | { readonly kind: 'mode' }
  /** A file on one side, and a symbolic link or a submodule on the other one. git keeps each under a name of its own. */
  | { readonly kind: 'type'; readonly wanted: string }
  /** One side renamed a folder in which the other one created this file, as `from`. git moved it along. */
  | { readonly kind: 'folder-rename'; readonly from: string; readonly createdBy: ConflictSide }
  | { readonly kind: 'symlink' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'submodule' };

export type ClashKind = Clash['kind'];

/** A piece of one version. */
export interface VersionPart {
  /** The number of its first line in that version, from 1. For an empty piece, the line that it would stand before. */
  readonly start: number;
  readonly lines: readonly string[];
}

/** One place where both sides changed the same lines. */
export interface Region {
  /** The line of its first marker in the worktree's file; undefined once someone has edited the markers. */
  readonly line: number | undefined;
  readonly main: VersionPart;
  readonly base: VersionPart;
  readonly worker: VersionPart;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface MainCommit {
  readonly hash: string;
  readonly subject: string;
}

export interface ConflictFile {
  readonly path: string;
  readonly clash: Clash;
  /** `staged`: no longer unmerged in the index. */
  readonly state: 'unmerged' | 'staged';
  readonly stages: { readonly base?: IndexStage; readonly main?: IndexStage; readonly worker?: IndexStage };
  /** None for a file without text, and for one that is too large to read. */
  readonly regions: readonly Region[];
  /** Lines with a marker of git, in the file of the worktree or, once staged, in the index. Does not count lines that a side has as text. */
  readonly markers: readonly number[];
  /** The name that a side has for this file, where it differs from the path. */
  readonly names: { readonly base?: string; readonly main?: string; readonly worker?: string };
  /** Larger than llmc reads, so it has no regions and no markers here. */
  readonly tooLarge: boolean;
  /** Commits of main that changed these lines since the worker began, newest first; at most a few. */
  readonly touchedBy: readonly MainCommit[];
}

/** Where a rebase has stopped. */
export interface RebaseStop {
  /** The worker's commit that git could not apply. */
  readonly commit: string;
  readonly subject: string;
  /** This is commit `position` of `total`. */
  readonly progress: { readonly position: number; readonly total: number };
}

export interface ConflictFacts {
  /** Undefined when the rebase did not stop at a commit of the worker. */
  readonly stop: RebaseStop | undefined;
  /** The files of this stop, also those that are staged by now, in git's order. */
  readonly files: readonly ConflictFile[];
  /** More files than llmc describes; `git status` lists them. */
  readonly leftOut: number;
}

/** What the rebase was started with. From llmc's own record: an agent can write git's. */
export interface Rebasing {
  /** The worker's commit before the rebase. */
  readonly head: string;
  /** The commit of main that the work is moved to. */
  readonly onto: string;
  /** The commit below the work. If main does not have it, an undo took it back, and the rebase leaves it out. */
  readonly base?: string;
}
