/** A program call as data. No code in this repository builds a shell command from values. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the inherited environment; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
}

export function describeCommand(command: Command): string {
  return [command.file, ...command.args].map((word) => (/^[\w@%+=:,./^{}~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
