import type { Screen } from '../../../terminal/screen.ts';
import { bareText, beginsWithPrompt } from '../../screen-rules/shown-text.ts';
import { readDialog } from './dialog.ts';
import { readFrame } from './frame.ts';
import { TEXTS } from './texts.ts';

/**
 * Whether the latest prompt in the conversation is this one. Older prompts do not count: the same text may have been sent
 * before. 0.166.0 repeats the first line of a prompt that has scrolled away at the top, which proves nothing unless the prompt has one line.
 */
export function showsPrompt(screen: Screen, text: string): boolean {
  const frame = readFrame(screen);
  // The selected row of a dialog has the same mark as a prompt.
  const above = frame.above.slice(0, readDialog(frame)?.from);
  const start = above.findLastIndex((line) => TEXTS.promptMark.test(line));
  if (bareText(text) === '' || start === -1) return false;
  const rest = above.slice(start + 1);
  const end = rest.findIndex((line) => line !== '' && !line.startsWith('  '));
  return beginsWithPrompt([(above[start] ?? '').slice(2), ...rest.slice(0, end === -1 ? undefined : end)], text);
}
