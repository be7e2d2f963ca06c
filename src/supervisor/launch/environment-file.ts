/** What one life of an agent is started with; its number is in the words tmux was given. */
export const environmentFile = (incarnation: number): string => `environment.${incarnation}`;

/** Which life of an agent these words of tmux started; undefined where they do not tell. tmux 3.3a puts words with blanks in quotes. */
export function incarnationIn(startCommand: string): number | undefined {
  const number = /\/environment\.(\d+)["']?\s*$/.exec(startCommand)?.[1];
  return number === undefined ? undefined : Number(number);
}
