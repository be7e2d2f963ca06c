import pc from 'picocolors';
import { markLookAlikes } from '../../../base/look-alike.ts';
import { measureWidth, wrapWithIndent } from '../../../base/text-width.ts';
import { visibleText } from '../../../base/visible-text.ts';

/** An agent wrote the text: below this indent, no line of it passes for one of llmc. */
const INDENT = '  ';
/** Longer lines are not prose, and marks in them are not searched. */
const LONGEST_LINE = 4_000;

type Colors = ReturnType<typeof pc.createColors>;

/**
 * Markdown for a terminal: headings, lists, quotes and code, wrapped to the width. Not for a pipe, which gets the text as it is. Takes
 * time in proportion to the text, whatever the agent wrote.
 */
export function markdownText(text: string, { color, columns }: { readonly color: boolean; readonly columns: number }): string {
  const shown = markLookAlikes(visibleText(text));
  if (columns === Number.POSITIVE_INFINITY) return indented(shown.split('\n'));
  const colors = pc.createColors(color);
  const room = Math.max(20, columns - INDENT.length);
  let fence: string | undefined;
  const lines = shown.split('\n').flatMap((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      return [];
    }
    // Code is not wrapped, so that it can be copied.
    return fence === undefined ? proseLines(line, room, colors) : [`  ${colors.cyan(line)}`];
  });
  return indented(lines);
}

const indented = (lines: readonly string[]): string =>
  lines
    .map((line) => (line === '' ? '' : `${INDENT}${line}`))
    .join('\n')
    .trimEnd();

function proseLines(line: string, room: number, colors: Colors): readonly string[] {
  if (line.trim() === '') return [''];
  // A table keeps its columns.
  if (line.length > LONGEST_LINE || line.trimStart().startsWith('|')) return [line];
  if (/^[-*_]{3,}$/.test(line.replaceAll(' ', ''))) return ['─'.repeat(Math.min(room, 40))];
  const [, level, title] = /^(#{1,6}) +(.*)$/.exec(line) ?? [];
  if (level !== undefined && title !== undefined) return heading(level.length, inline(title, colors), room, colors);
  const quoted = /^ {0,3}> ?(.*)$/.exec(line)?.[1];
  if (quoted !== undefined) return wrapWithIndent(inline(quoted, colors), room - 2, 0).map((part) => `${colors.dim('│')} ${part}`);
  const [, before, bullet, item] = /^( *)([-*+]|\d{1,9}[.)]) +(.*)$/.exec(line) ?? [];
  if (before !== undefined && bullet !== undefined && item !== undefined) {
    const sign = /\d/.test(bullet) ? bullet : '•';
    return wrapWithIndent(`${before}${sign} ${inline(item, colors)}`, room, before.length + sign.length + 1);
  }
  return wrapWithIndent(inline(line, colors), room, /^ */.exec(line)?.[0].length ?? 0);
}

function heading(level: number, title: string, room: number, { bold }: Colors): readonly string[] {
  const lines = wrapWithIndent(title, room, 0).map((line) => bold(line));
  return level > 2 ? lines : [...lines, '─'.repeat(Math.min(room, measureWidth(title)))];
}

/** Marks inside a line. A word in code keeps its backticks where it cannot have a colour. */
function inline(text: string, { bold, cyan, isColorSupported }: Colors): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1
        ? isColorSupported
          ? cyan(part.slice(1, -1))
          : part
        : part.replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, '$1 ($2)').replace(/\*\*([^*]+)\*\*/g, (_, words: string) => bold(words)),
    )
    .join('');
}
