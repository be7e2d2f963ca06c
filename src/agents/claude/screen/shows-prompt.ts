import type { Screen } from '../../../terminal/screen.ts';
import { bareText, beginsWithPrompt } from '../../screen-rules/shown-text.ts';
import { readFrame } from './frame.ts';

/** A shorter visible end could belong to any prompt. */
const ENOUGH = 20;

/**
 * Whether the latest prompt in the conversation is this one. Older prompts do not count: the same words may have been
 * sent before. If its first line has scrolled away, enough of its end must still be visible.
 */
export function showsPrompt(screen: Screen, text: string): boolean {
  const { above, texts } = readFrame(screen);
  const wanted = bare(text);
  if (wanted === '') return false;
  const start = above.findLastIndex((line) => texts.promptMark.test(line));
  const rest = above.slice(start + 1);
  const end = rest.findIndex((line) => /^\S/.test(line) || texts.resultMark.test(line));
  const indented = end === -1 ? rest : rest.slice(0, end);
  if (start !== -1) return beginsWithPrompt([(above[start] ?? '').slice(2), ...indented], text, { bare, isGap });
  const shown = bare(indented.join(''));
  return shown.length >= ENOUGH && wanted.endsWith(shown);
}

const isGap = (line: string): boolean => line === '' || /^ {2}ctrl\+x ctrl\+s to send now$/.test(line);

// Claude Code draws Markdown without its marks.
const bare = (text: string): string => bareText(text, /[`*_~#>]+/g);
