export interface OptionSpec {
  /** As commander reads it: `--prompt <text>`, `--wait`, `--at <place...>`. */
  readonly flags: string;
  readonly about: string;
}

export interface ArgumentSpec {
  /** `<worker>`, `[worker]`, `<name...>` */
  readonly syntax: string;
  readonly about: string;
}

/** What a command looks like from outside: help, completion and the reference page are made from it. */
export interface Declaration {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
}
