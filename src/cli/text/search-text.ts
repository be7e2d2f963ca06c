import pc from 'picocolors';
import { formatAge } from '../../base/duration.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { SearchHit, SearchResult } from '../../workers/search/search-root.ts';
import type { Display } from '../shell.ts';

/** One line per hit, the newest first: age, what it is, whose, and the words that were found. */
export function searchText({ hits, more }: SearchResult, terms: readonly string[], now: number, { color, columns }: Display): string {
  if (hits.length === 0) return `Nothing was found for ${terms.map((term) => `“${visibleLine(term)}”`).join(' and ')}.`;
  const heads = hits.map((hit) => [formatAge(Math.max(0, now - hit.at_ms)), hit.kind, describeOwner(hit)]);
  const widths = [0, 1, 2].map((column) => Math.max(...heads.map((head) => measureWidth(head[column] ?? ''))));
  const paint = pc.createColors(color);
  const mark = (words: string) => (color ? paint.bold(paint.yellow(words)) : `«${words}»`);
  const lines = hits.map((hit, index) => {
    const head = (heads[index] ?? []).map((cell, column) => padToWidth(cell, widths[column] ?? 0)).join('  ');
    // Without colours, each mark takes two columns.
    const room = columns - measureWidth(head) - 2 - (color ? 0 : 2 * hit.marks.length);
    return `${paint.dim(head)}  ${marked(hit, Math.max(20, room), mark)}`.trimEnd();
  });
  return [...lines, ...(more ? ['There are older ones: add --limit 100, or another word.'] : [])].join('\n');
}

const describeOwner = ({ worker, task }: SearchHit): string =>
  [worker ?? '', task === null ? '' : `task ${task}`].filter((word) => word !== '').join(' ');

/** The words of a hit, cut to the room there is, with each term marked that is left. */
function marked({ text, marks }: SearchHit, columns: number, mark: (words: string) => string): string {
  const shown = cutToWidth(text, columns);
  const kept = shown === text ? text.length : shown.length - 1;
  let at = 0;
  const parts: string[] = [];
  for (const [from, to] of marks.filter(([begin]) => begin < kept)) {
    parts.push(shown.slice(at, from), mark(shown.slice(from, Math.min(to, kept))));
    at = Math.min(to, kept);
  }
  return [...parts, shown.slice(at)].join('');
}
