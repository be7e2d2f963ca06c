import { visibleLine } from '../../base/visible-text.ts';

/** A line for config.toml that would match this screen, as a start; undefined if the screen has nothing to go by. */
export function suggestReady(lines: readonly string[]): string | undefined {
  const bottom = lines.map((line) => line.trim()).filter((line) => /\p{L}|[>❯»›$%]/u.test(line));
  // A hint below the input, such as "? for help", is there whatever is typed; an input line is the next best.
  const line = bottom.findLast((each) => !/\d/.test(each)) ?? bottom.at(-1);
  return line === undefined ? undefined : `ready = [${quoted(escaped(stripChanging(line)))}]`;
}

/** The line of the screen with the typed text, with a group in place of the text. */
export function suggestBox(lines: readonly string[], typed: string): string | undefined {
  const start = typed.slice(0, 12);
  const row = start === '' ? undefined : lines.findLast((line) => line.includes(start));
  if (row === undefined) return undefined;
  const before = row.slice(0, row.indexOf(start));
  const frame = /[│┃|║]\s*$/.exec(row)?.[0].trim();
  return `box = ${quoted(`^${escaped(before.trimEnd())} ?(.*${frame === undefined ? ')$' : `?) *${escaped(frame)}$`}`)}`;
}

/** Without what changes between two screens of the same kind: long texts, and frames at the sides. */
function stripChanging(line: string): string {
  return line
    .replace(/^[│┃|║─━╭╰]+\s*|\s*[│┃|║─━╮╯]+$/g, '')
    .slice(0, 40)
    .trim();
}

const escaped = (text: string): string => visibleLine(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A literal string in TOML has no escapes and cannot hold its own quote. */
const quoted = (pattern: string): string => `'${pattern.replaceAll("'", '.')}'`;
