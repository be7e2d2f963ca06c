const LONGEST_COMMAND = 300;

/** Renders a command for a sentence. A cut is shown: nobody approves what they did not see. */
export function commandInOneLine(command: string): string {
  const line = command.replace(/\s*\n\s*/g, ' ⏎ ');
  return line.length > LONGEST_COMMAND ? `${line.slice(0, LONGEST_COMMAND)}…` : line;
}
