type Environment = Readonly<Record<string, string | undefined>>;

/** Where the login of a CLI lies. llmc checks that there is one and never reads it. */
export interface Login {
  files(env: Environment): readonly string[];
  /** Variables that contain a login, or choose a service with a login of its own. */
  readonly variables: readonly string[];
  /** The entry in the keychain of macOS. */
  readonly keychain?: string;
  /** A settings file that can name another way to log in, and whether this text of it does. */
  readonly settings?: { path(env: Environment): string; nameLogin(text: string): boolean };
  /** What to type to log in. */
  readonly command: string;
}
