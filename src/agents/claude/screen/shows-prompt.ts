import type { Screen } from '../../../terminal/screen.ts';
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
    const block = [(above[start] ?? '').slice(2), ...indented];
    // What follows a prompt after a gap may be indented like its own lines, so it can end at any gap.
    const ends = block.flatMap((_, at) => (isGap(block[at + 1]) ? [at + 1] : []));
    return ends.some((end) => bare(block.slice(0, end).join('')) === wanted);
  }
  const shown = bare(indented.join(''));
  return shown.length >= ENOUGH && wanted.endsWith(shown);
}

const isGap = (line: string | undefined): boolean => line === undefined || line === '' || /^ {2}ctrl\+x ctrl\+s to send now$/.test(line);

// The screen wraps, trims, draws Markdown without its marks and, in tmux 3.3a, takes joined emoji apart.
function bare(text: string): string {
  return text
    .normalize('NFC')
    .replace(
      /[\s`*_~#>\p{Cc}\p{Cf}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}]+/gu,
      '',
    );
}
