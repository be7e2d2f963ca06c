import type { DiffView } from './diff-view.ts';
import { findScope } from './shown-work.ts';

/** A key of the pane and what it does, for the footer and the help. */
export interface DiffKey {
  readonly keys: string;
  readonly does: string;
}

const MOVING: readonly DiffKey[] = [
  { keys: 'j k ↓ ↑', does: 'line' },
  { keys: 'J K', does: 'next or previous hunk' },
  { keys: 'N P', does: 'next or previous file' },
  { keys: 'ctrl+d ctrl+u', does: 'half a page' },
  { keys: 'page-down page-up', does: 'page' },
  { keys: 'g G home end', does: 'first or last line' },
];

/** The keys that do something now, the most useful first. */
export function diffKeys(diff: DiffView): readonly DiffKey[] {
  if (diff.focus === 'head') return [{ keys: 'o', does: 'back to the diff' }, ...MOVING.slice(0, 1)];
  const turn =
    findScope(diff.shown, 'since') === undefined
      ? []
      : [{ keys: 't', does: diff.scope === 'since' ? 'the whole change' : 'since your last review' }];
  if (diff.entries.length === 0) return [...turn, { keys: 'o', does: 'all about the work' }];
  if (diff.focus === 'files')
    return [
      { keys: 'enter', does: 'go to the file' },
      { keys: '← →', does: 'fold or unfold' },
      { keys: 'f', does: 'back to the lines' },
    ];
  return [
    { keys: 'c', does: 'comment' },
    ...(diff.comments.length === 0 ? [] : [{ keys: 'x', does: 'delete the comment' }]),
    ...turn,
    { keys: 'v', does: diff.selectedFrom === undefined ? 'select' : 'end the selection' },
    { keys: 'f', does: 'files' },
    { keys: 'o', does: 'all about the work' },
    { keys: 's', does: 'side by side' },
    { keys: 'w', does: diff.shown.ignores_whitespace ? 'show white space' : 'ignore white space' },
    { keys: 'W', does: diff.isWrapped ? 'do not wrap' : 'wrap' },
    ...(diff.isWrapped ? [] : [{ keys: '← →', does: 'scroll to the side' }]),
    ...MOVING,
  ];
}

const IN_ALL = ['j', 'k', 'down', 'up', 'page-down', 'page-up', 'ctrl+d', 'ctrl+u', 'g', 'G', 'home', 'end', 'o'];
const IN_LINES = ['J', 'K', 'N', 'P', 'f', 's', 'W', 'w', 'v', 'c', 'x', 't'];
const IN_FILES = ['f', 'enter', 'left', 'right', 'escape'];

/** Whether the key belongs to the pane now, also where it finds nothing to do. */
export function isOwnKey({ focus, entries, isWrapped, selectedFrom }: DiffView, key: string): boolean {
  if (focus === 'head') return IN_ALL.includes(key) || key === 'escape';
  if (entries.length === 0) return key === 'o' || key === 't';
  if (IN_ALL.includes(key)) return true;
  if (focus === 'files') return IN_FILES.includes(key);
  if (key === 'escape') return selectedFrom !== undefined;
  return IN_LINES.includes(key) || (!isWrapped && ['left', 'right'].includes(key));
}
