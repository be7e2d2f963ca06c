/** Adds the answer to the question whether work that nobody has reviewed may land: most tests are about something else. */
export function answered(args: readonly string[]): readonly string[] {
  return args.find((word) => !word.startsWith('-')) === 'accept' ? [...args, '--yes'] : args;
}
