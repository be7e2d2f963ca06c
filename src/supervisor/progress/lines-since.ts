import { bareText } from '../../agents/screen-rules/shown-text.ts';

/** Enough of a prompt to find its end on a screen. A shorter one could be any text. */
const ENOUGH = 16;
const FRAMES = /[\u2500-\u259f]+/g;

/**
 * The lines of a terminal below the prompt that it echoed. All of them if the prompt is not there or nothing is below it: it is
 * better to show a person too much than to lose a part of the answer.
 */
export function linesSince(lines: readonly string[], prompt: string): readonly string[] {
  const end = bare(prompt).slice(-ENOUGH);
  if (end.length < ENOUGH) return lines;
  let shown = '';
  const at = lines.findIndex((line) => {
    shown = shown.slice(-ENOUGH) + bare(line);
    return shown.includes(end);
  });
  const below = lines.slice(at + 1);
  return at === -1 || below.every((line) => bare(line) === '') ? lines : below;
}

const bare = (text: string): string => bareText(text, FRAMES);
