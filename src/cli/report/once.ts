/** Several parts of a report find the same supervisor silent: each line is said once. */
export function once(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (said.has(line)) return;
    said.add(line);
    say(line);
  };
}
