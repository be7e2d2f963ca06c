import type { Screen } from '../../terminal/screen.ts';
import { textsOn } from './classify.ts';
import { readFrame } from './frame.ts';

/** Below this many characters, the visible end of a prompt could be that of any other. */
const ENOUGH = 20;

/**
 * Whether the latest prompt in the conversation is this one. Older prompts do not count: the same words may have been
 * sent before. When its first line has scrolled away, enough of its end must still be in sight.
 */
export function showsPrompt(screen: Screen, text: string): boolean {
  const { above, texts } = readFrame(screen, textsOn(screen));
  const wanted = bare(text);
  if (wanted === '') return false;
  const start = above.findLastIndex((line) => texts.promptMark.test(line));
  const rest = above.slice(start + 1);
  const end = rest.findIndex((line) => /^\S/.test(line) || texts.resultMark.test(line));
  const indented = end === -1 ? rest : rest.slice(0, end);
  if (start !== -1) {
    const first = (above[start] ?? '').slice(2);
    // Hints below a prompt are indented like its own lines, so it may seem to go on a little.
    return indented.some((_, at) => bare([first, ...indented.slice(0, at + 1)].join('')) === wanted) || bare(first) === wanted;
  }
  const shown = bare(indented.join(''));
  return shown.length >= ENOUGH && wanted.endsWith(shown);
}

// The screen wraps, trims and, in tmux 3.3a, takes joined emoji apart.
function bare(text: string): string {
  return text.normalize('NFC').replace(/[\s\p{Cc}\p{Cf}\p{M}\p{Extended_Pictographic}\p{Default_Ignorable_Code_Point}]+/gu, '');
}
