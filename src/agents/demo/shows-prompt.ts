import type { Screen } from '../../terminal/screen.ts';
import { bareText } from '../screen-rules/shown-text.ts';

/** The row that replaces the middle of a long prompt. */
const LEFT_OUT = /^ {2}… \+\d+ lines$/;

/**
 * Whether the conversation on the screen shows this prompt. Compares start and end, because
 * prompts often begin with the same preamble. If the start has scrolled away, the rest of
 * the end must be enough to recognise it.
 */
export function showsPrompt(screen: Screen, text: string): boolean {
  const lines = screen.lines.map((line) => line.trimEnd());
  const wanted = bareText(text);
  if (wanted === '') return false;
  return blocks(lines).some(({ rows, whole }) => matches(rows, whole, wanted));
}

interface Block {
  readonly rows: readonly string[];
  /** False for the rows at the top of the screen, whose beginning has scrolled away. */
  readonly whole: boolean;
}

function blocks(lines: readonly string[]): Block[] {
  const found: Block[] = [];
  let rows: string[] = [];
  let whole = false;
  let prompt = true;
  for (const line of [...lines, '●']) {
    if (/^\S/.test(line)) {
      if (prompt && rows.length > 0) found.push({ rows, whole });
      // U+00A0 marks the input box, whose text was not sent.
      prompt = line.startsWith('❯ ');
      whole = true;
      rows = [line.slice(2)];
    } else {
      rows.push(LEFT_OUT.test(line) ? '\0' : line.slice(2));
    }
  }
  return found;
}

function matches(rows: readonly string[], whole: boolean, wanted: string): boolean {
  const [head = '', ...tails] = rows.join('\n').split('\0');
  const tail = tails.at(-1);
  if (!whole) {
    const end = bareText(tail ?? head);
    return end.length >= 20 && wanted.endsWith(end);
  }
  if (tail === undefined) return bareText(head) === wanted;
  return wanted.startsWith(bareText(head)) && wanted.endsWith(bareText(tail));
}
