import pc from 'picocolors';
import { markLookAlikes } from '../../base/look-alike.ts';
import { visibleText } from '../../base/visible-text.ts';

/**
 * A diff for people: characters that mislead are shown by their codes, and the colours are those of llmc. Those of git would mix
 * with escape sequences in the content.
 */
export function diffForPeople(diff: string, color: boolean): string {
  const paint = painter(color);
  return `\n${diff}`
    .split('\ndiff --git ')
    .flatMap((section, index) => {
      if (index === 0) return section.split('\n').slice(1);
      // Almost all files are plain, and a long diff has 80,000 lines.
      return !color && PLAIN.test(section) ? [`diff --git ${section}`] : sectionLines(`diff --git ${section}`, paint);
    })
    .join('\n');
}

/** Every character of it is shown as it is. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

type Paint = (line: string, inHunk: boolean) => string;

function sectionLines(section: string, paint: Paint): readonly string[] {
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@ '));
  if (start === -1) return lines.map((line) => paint(shown(line), false));
  const content = lines.slice(start).filter((line) => /^[-+ ]/.test(line));
  // Mark the line ends of Windows only where they are mixed with others: nobody could read a diff with a code in each line.
  const allWindows = content.every((line) => line.endsWith('\r'));
  const note = allWindows ? ['(every line ends with CR LF)'] : [];
  return [
    ...lines.slice(0, start).map((line) => paint(shown(line), false)),
    ...note,
    ...lines.slice(start).map((line) => paint(shown(allWindows ? line.replace(/\r$/, '') : line), true)),
  ];
}

function shown(line: string): string {
  return markLookAlikes(visibleText(line));
}

function painter(color: boolean): Paint {
  const colors = pc.createColors(color);
  return (line, inHunk) => {
    if (!inHunk) return line === '' ? line : colors.bold(line);
    if (line.startsWith('@@')) return line.replace(/^@@ \S+ \S+ @@/, (range) => colors.cyan(range));
    if (line.startsWith('+')) return colors.green(line);
    return line.startsWith('-') ? colors.red(line) : line;
  };
}
