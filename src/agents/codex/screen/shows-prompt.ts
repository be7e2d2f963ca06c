import type { Screen } from '../../../terminal/screen.ts';
import { readDialog } from './dialog.ts';
import { readFrame } from './frame.ts';
import { TEXTS } from './texts.ts';

/**
 * Whether the latest prompt in the conversation is this one. Older prompts do not count: the same words may have been sent
 * before. Of a prompt that has scrolled away 0.166.0 repeats the first line on top, which proves nothing unless it was all.
 */
export function showsPrompt(screen: Screen, text: string): boolean {
  const frame = readFrame(screen);
  // The selected row of a dialog bears the same mark as a prompt.
  const above = frame.above.slice(0, readDialog(frame)?.from);
  const wanted = bare(text);
  const start = above.findLastIndex((line) => TEXTS.promptMark.test(line));
  if (wanted === '' || start === -1) return false;
  const rest = above.slice(start + 1);
  const end = rest.findIndex((line) => line !== '' && !line.startsWith('  '));
  const block = [(above[start] ?? '').slice(2), ...rest.slice(0, end === -1 ? undefined : end)];
  // What follows a prompt after a gap may be indented like its own lines, so it can end at any gap.
  return block.some((_, at) => (block[at + 1] ?? '') === '' && bare(block.slice(0, at + 1).join('')) === wanted);
}

// The screen wraps, trims and, in tmux 3.3a, takes joined emoji apart.
function bare(text: string): string {
  return text
    .normalize('NFC')
    .replace(
      /[\s\p{Cc}\p{Cf}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}]+/gu,
      '',
    );
}
