/** The environment file of one incarnation; the command that tmux received contains its number. */
export const environmentFile = (incarnation: number): string => `environment.${incarnation}`;

/** The incarnation that this command of tmux started; undefined when it names none. tmux 3.3a quotes arguments with blanks. */
export function incarnationIn(startCommand: string): number | undefined {
  const number = /\/environment\.(\d{1,9})["']?\s*$/.exec(startCommand)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Whether tmux started llmc's launcher with this command. */
export function startsAgent(startCommand: string): boolean {
  return /\/launch\.sh\b/.test(startCommand);
}
