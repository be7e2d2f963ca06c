import { isDeepStrictEqual } from 'node:util';
import { moved } from './comments/comment.ts';
import { type DiffView, openDiff, openingFocus } from './diff-view.ts';
import type { Entry } from './entries.ts';
import { type DiffScope, findMessage, findScope, type ShownWork } from './shown-work.ts';

/** The same pane with newer work of the same worker: the person stays where they are, and so do comments whose line still exists. */
export function refreshDiff(diff: DiffView, shown: ShownWork): DiffView {
  const scope = findBase(shown) === findBase(diff.shown) ? diff.scope : 'since';
  // What an agent says is read first, also if it says it while the pane is open.
  const { focus, headTop } = findMessage(shown) === findMessage(diff.shown) ? diff : openingFocus(shown);
  if (isSameChange(diff.shown, shown)) return { ...diff, shown, focus, headTop };
  return { ...inScope(diff, shown, scope), focus, headTop };
}

/** Shows what changed since the last review, or all of it; the same pane if the work has no such scope. */
export function switched(diff: DiffView): DiffView {
  const scope = diff.scope === 'since' ? 'whole' : 'since';
  return findScope(diff.shown, scope) === undefined ? diff : { ...inScope(diff, diff.shown, scope), seen: new Map() };
}

function inScope(diff: DiffView, shown: ShownWork, scope: DiffScope): DiffView {
  const opened = openDiff(shown, scope);
  const blobs = new Map(opened.files.map(({ path, blob }) => [path, blob]));
  return {
    ...diff,
    shown,
    scope: opened.scope,
    files: opened.files,
    entries: opened.entries,
    whole: opened.whole,
    said: opened.said,
    cursor: sameEntry(opened.entries, diff.entries[diff.cursor]) ?? Math.max(0, Math.min(diff.cursor, opened.entries.length - 1)),
    top: sameEntry(opened.entries, diff.entries[diff.top]) ?? Math.max(0, Math.min(diff.top, opened.entries.length - 1)),
    selectedFrom: undefined,
    tree: { ...diff.tree, cursor: 0 },
    // A file that changed after it was seen has to be seen again.
    seen: new Map([...diff.seen].filter(([path, { isWhole, blob }]) => isWhole && blob !== null && blobs.get(path) === blob)),
    comments: diff.comments.map((comment) => moved(comment, opened.files)),
    asked: diff.asked && moved(diff.asked, opened.files),
  };
}

const findSince = (shown: ShownWork) => (shown.kind === 'work' ? shown.since : null);
const findBase = (shown: ShownWork) => findSince(shown)?.reviewed;

function isSameChange(before: ShownWork, after: ShownWork): boolean {
  const blobs = ({ files }: ShownWork) => files.map(({ path, after: blob }) => `${blob} ${path}`).join('\0');
  return before.diff === after.diff && blobs(before) === blobs(after) && isDeepStrictEqual(findSince(before), findSince(after));
}

/** The entry for the same line, or the nearest one in the same file. */
function sameEntry(entries: readonly Entry[], wanted: Entry | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  let best: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const [index, entry] of entries.entries()) {
    if (entry.file.path !== wanted.file.path) continue;
    const away =
      entry.kind === wanted.kind
        ? Math.abs(toLineNumber(entry) - toLineNumber(wanted)) + (toText(entry) === toText(wanted) ? 0 : 10)
        : 1_000_000;
    if (away >= distance) continue;
    best = index;
    distance = away;
  }
  return best;
}

function toLineNumber(entry: Entry): number {
  if (entry.kind === 'line') return entry.line.after ?? entry.line.before ?? 0;
  return entry.kind === 'hunk' ? entry.hunk.after : 0;
}

const toText = (entry: Entry): string => (entry.kind === 'line' ? entry.line.sign + entry.line.text : '');
