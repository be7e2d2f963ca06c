type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder in which a CLI keeps settings, login and conversations. A sandboxed agent gets one of its own: in the user's it could
 * leave a hook or a server that the user's next session would run.
 */
export interface ConfigFolder {
  /** The variable that names the folder. */
  readonly variable: string;
  /** The user's own. */
  path(env: Environment): string;
  /** Names in it that the sandboxed agent reads there. */
  readonly readable: readonly string[];
  /** Files in it that the sandboxed agent shares with the user, because a login may be renewed. */
  readonly login: readonly string[];
  /** Files that the CLI replaces as a whole: name in the folder, and the user's file that it begins as a copy of. */
  readonly copied: (env: Environment) => Readonly<Record<string, string>>;
  /** Set in a sandbox. */
  readonly env?: Readonly<Record<string, string>>;
}
