import type { Screen } from '../../terminal/screen.ts';
import { bareText } from '../screen-rules/shown-text.ts';

/** The row that stands for the middle of a prompt too long to show. */
const LEFT_OUT = /^ {2}… \+\d+ lines$/;

/**
 * Whether the transcript shows this prompt. The start and the end are compared, because
 * prompts often begin with the same preamble; when the start has scrolled away, what is
 * left of the end must be enough to recognise it.
 */
export function showsPrompt(screen: Screen, text: string): boolean {
  const lines = screen.lines.map((line) => line.trimEnd());
  const wanted = bareText(text);
  if (wanted === '') return false;
  return blocks(lines).some(({ rows, whole }) => matches(rows, whole, wanted));
}

interface Block {
  readonly rows: readonly string[];
  /** False for the rows at the top of the screen, whose beginning is out of sight. */
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
      // U+00A0 marks the input box: what stands there was not sent.
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
