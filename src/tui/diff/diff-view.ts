import type { Comment } from './comments/comment.ts';
import { lastRemarks } from './comments/said.ts';
import { type Entry, listDiffEntries } from './entries.ts';
import { type DiffFile, diffFiles } from './parse/diff-file.ts';
import { type DiffScope, findMessage, findScope, type ShownWork } from './shown-work.ts';

/** How much of a file was on the screen without a gap, from its beginning. */
export interface SeenPart {
  /** Entries. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly blob: string | null;
}

/** The diff pane: what it shows and where the person is in it. */
export interface DiffView {
  readonly shown: ShownWork;
  readonly scope: DiffScope;
  /** Of the scope. */
  readonly files: readonly DiffFile[];
  readonly entries: readonly Entry[];
  /** The files of the whole change: a rejection is about them. */
  readonly whole: readonly DiffFile[];
  /** What the keys move in: the lines, the list of files, or the whole head. */
  readonly focus: 'lines' | 'files' | 'head';
  /** Indexes into `entries`. */
  readonly cursor: number;
  readonly top: number;
  /** The other end of a selection. */
  readonly selectedFrom: number | undefined;
  readonly isWrapped: boolean;
  /** Columns that are scrolled away on the left, if lines are not wrapped. */
  readonly left: number;
  /** Undefined: when the pane is wide. */
  readonly sideBySide: boolean | undefined;
  readonly tree: { readonly cursor: number; readonly folded: ReadonlySet<string> };
  readonly headTop: number;
  /** What was on the screen, by path. */
  readonly seen: ReadonlyMap<string, SeenPart>;
  readonly comments: readonly Comment[];
  /** The remarks of the last rejection, at the lines that answer them. */
  readonly said: readonly Comment[];
  /** The place that a person is asked to comment on. */
  readonly asked: Comment | undefined;
}

/** Opens the work of a worker at its beginning. */
export function openDiff(shown: ShownWork, wanted: DiffScope = 'since'): DiffView {
  const scope = findScope(shown, wanted) === undefined ? 'whole' : wanted;
  const part = findScope(shown, scope) ?? shown;
  const files = diffFiles(part.diff, part.files);
  return {
    shown,
    scope,
    files,
    entries: listDiffEntries(files),
    whole: scope === 'whole' ? files : diffFiles(shown.diff, shown.files),
    said: lastRemarks(shown, scope, files),
    ...openingFocus(shown),
    cursor: 0,
    top: 0,
    selectedFrom: undefined,
    isWrapped: true,
    left: 0,
    sideBySide: undefined,
    tree: { cursor: 0, folded: new Set() },
    seen: new Map(),
    comments: [],
    asked: undefined,
  };
}

/** What an agent says is read first, unless there is work that may land: nothing may cover that. */
export function openingFocus(shown: ShownWork): Pick<DiffView, 'focus' | 'headTop'> {
  return { focus: shown.kind === 'work' || findMessage(shown) === null ? 'lines' : 'head', headTop: 0 };
}
