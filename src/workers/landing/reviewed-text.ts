import { visibleText } from '../../base/visible-text.ts';

interface Reviewed {
  readonly stat: string;
  readonly diff: string;
  readonly base: string;
  readonly head: string;
}

/** Enough for most changes, and little compared with what an agent reads anyway. */
const LONGEST_DIFF_BYTES = 16 * 1024;

/** Describes the reviewed change: the files, and as many whole file diffs as fit. Half a hunk would mislead. */
export function reviewedText({ stat, diff, base, head }: Reviewed): string {
  // Claude Code 2.1 turns tabs in its input box into blanks, and llmc would send a prompt that it changes as a file.
  const files = visibleText(diff)
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '    ')
    .split(/^(?=diff --git )/m)
    .filter((file) => file !== '');
  const shown = thoseThatFit(files);
  const rest = files.length - shown.length;
  return [
    stat.trimEnd(),
    ...(shown.length === 0 ? [] : ['', fenced(shown.join('').trimEnd())]),
    ...(rest === 0
      ? []
      : ['', `Too long to stand here: ${rest} of ${files.length} files. All of it: git diff ${base.slice(0, 12)} ${head.slice(0, 12)}`]),
  ].join('\n');
}

function thoseThatFit(files: readonly string[]): readonly string[] {
  let left = LONGEST_DIFF_BYTES;
  return files.filter((file) => {
    const fits = Buffer.byteLength(file) <= left;
    if (fits) left -= Buffer.byteLength(file);
    return fits;
  });
}

/** Uses a fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}
