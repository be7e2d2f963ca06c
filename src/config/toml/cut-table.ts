import { scanToml } from './positions.ts';

/**
 * Removes `[path]` and its lines from a valid TOML text, together with adjacent comments: directly above the
 * header, or directly below the last entry. A comment behind a blank line stays.
 */
export function cutTable(text: string, path: readonly string[]): string {
  const { headers, marks } = scanToml(text);
  const index = headers.findIndex((header) => header.path.join('\0') === path.join('\0'));
  const header = headers[index];
  if (header === undefined) return text;
  const next = headers[index + 1]?.at ?? text.length;
  const lastEnd = marks
    .filter(({ keyAt }) => keyAt >= header.at && keyAt < next)
    .reduce((end, mark) => Math.max(end, mark.end), header.end);

  const from = commentsAbove(text, lineStart(text, header.at));
  const to = commentsBelow(text, lineEnd(text, lastEnd), next);
  const before = text.slice(0, from);
  // Keep only one of two adjacent blank lines.
  const after = /(^|\n\r?\n)$/.test(before) ? text.slice(to).replace(/^(\r?\n)+/, '') : text.slice(to);
  return after === '' ? withoutBlankEnd(before) : before + after;
}

/** Keeps the line end of the last line. Without a regular expression, which would take the square of the number of line ends. */
function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return text.slice(0, end) + (/^\r?\n/.exec(text.slice(end))?.[0] ?? '');
}

function commentsAbove(text: string, start: number): number {
  let from = start;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (!/^[ \t]*#/.test(text.slice(above, from))) break;
    from = above;
  }
  return from;
}

function commentsBelow(text: string, start: number, next: number): number {
  let to = start;
  while (to < next && /^[ \t]*#/.test(text.slice(to, lineEnd(text, to)))) to = lineEnd(text, to);
  // Comments directly above the next header belong to that header.
  return to > start && to >= lineStart(text, next) && next < text.length ? start : to;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
