export interface OptionSpec {
  /** In the syntax of commander: `--prompt <text>`, `--wait`, `--at <place...>`. */
  readonly flags: string;
  readonly about: string;
  /** The values that it can have, if they are few. */
  readonly words?: readonly string[];
  /** True if it can be given more than once, each time with one value: a list would take the words behind it too. */
  readonly repeats?: boolean;
}

export interface ArgumentSpec {
  /** `<worker>`, `[worker]`, `<name...>` */
  readonly syntax: string;
  readonly about: string;
  /** True for the last argument if it is prose: a user may forget the quotes around it. */
  readonly isText?: boolean;
  /** The values that it can have, if they are few. */
  readonly words?: readonly string[];
}

/** The interface of a command. Help, completion and the reference page are generated from it. */
export interface Declaration {
  readonly name: string;
  /** A second, shorter name: `ls` for `status`. */
  readonly alias?: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
}
