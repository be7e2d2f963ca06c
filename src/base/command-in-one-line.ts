import { inOneLine } from './visible-text.ts';

const LONGEST_COMMAND = 300;

/** Renders a command for a sentence. A cut is shown: nobody approves what they did not see. */
export function commandInOneLine(command: string): string {
  const line = inOneLine(command);
  return line.length > LONGEST_COMMAND ? `${line.slice(0, LONGEST_COMMAND)}…` : line;
}
