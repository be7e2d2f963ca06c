/** One cell of the input box: a visible character, or a folded paste. */
export type Cell = string | { readonly label: string; readonly content: string };

export interface Draft {
  readonly cells: readonly Cell[];
  readonly cursor: number;
  /** The number of the last folded paste; restarts when the draft is empty. */
  readonly pastes: number;
}

export const EMPTY_DRAFT: Draft = { cells: [], cursor: 0, pastes: 0 };

const FOLD_CHARACTERS = 800;
const FOLD_LINES = 3;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function insertText(draft: Draft, text: string): Draft {
  return insert(
    draft,
    Array.from(graphemes.segment(text), ({ segment }) => segment),
  );
}

/** Folds a long paste into a label and keeps the whole content. */
export function insertPaste(draft: Draft, text: string): Draft {
  const extraLines = text.split('\n').length - 1;
  if (text.length <= FOLD_CHARACTERS && extraLines < FOLD_LINES) return insertText(draft, text);
  const number = draft.pastes + 1;
  const label = extraLines === 0 ? `[Pasted text #${number}]` : `[Pasted text #${number} +${extraLines} lines]`;
  return { ...insert(draft, [{ label, content: text }]), pastes: number };
}

export function backspace(draft: Draft): Draft {
  return draft.cursor === 0 ? draft : cut(draft, draft.cursor - 1, draft.cursor);
}

export function deleteForward(draft: Draft): Draft {
  return cut(draft, draft.cursor, Math.min(draft.cells.length, draft.cursor + 1));
}

/** Ctrl-U removes the current line; on an empty line it removes the line break, so repeated presses empty the input box. */
export function killLine(draft: Draft): Draft {
  const start = lineStart(draft);
  const end = lineEnd(draft);
  return start === end && start > 0 ? cut(draft, start - 1, start) : cut(draft, start, end);
}

export function move(draft: Draft, where: 'left' | 'right' | 'home' | 'end'): Draft {
  const targets = {
    left: Math.max(0, draft.cursor - 1),
    right: Math.min(draft.cells.length, draft.cursor + 1),
    home: lineStart(draft),
    end: lineEnd(draft),
  };
  return { ...draft, cursor: targets[where] };
}

/** The exact text that Enter submits. */
export function contentOf(draft: Draft): string {
  return draft.cells.map((cell) => (typeof cell === 'string' ? cell : cell.content)).join('');
}

/** The visible text before the cursor and after it. */
export function shownParts(draft: Draft): [string, string] {
  const show = (cells: readonly Cell[]) => cells.map((cell) => (typeof cell === 'string' ? cell : cell.label)).join('');
  return [show(draft.cells.slice(0, draft.cursor)), show(draft.cells.slice(draft.cursor))];
}

function insert(draft: Draft, added: readonly Cell[]): Draft {
  const { cells, cursor, pastes } = draft;
  return { cells: [...cells.slice(0, cursor), ...added, ...cells.slice(cursor)], cursor: cursor + added.length, pastes };
}

function cut(draft: Draft, from: number, to: number): Draft {
  const cells = [...draft.cells.slice(0, from), ...draft.cells.slice(to)];
  return { cells, cursor: from, pastes: cells.length === 0 ? 0 : draft.pastes };
}

function lineStart({ cells, cursor }: Draft): number {
  // A negative start index would make lastIndexOf count from the end.
  return cursor === 0 ? 0 : cells.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd({ cells, cursor }: Draft): number {
  const end = cells.indexOf('\n', cursor);
  return end === -1 ? cells.length : end;
}
