/** What config.toml says about an agent llmc knows nothing else of. Patterns are regular expressions for one line of the screen. */
export interface Declaration {
  /** Words after `args` for a new conversation, and in their place for one taken up again. */
  readonly startArgs?: readonly string[] | undefined;
  readonly resumeArgs?: readonly string[] | undefined;
  readonly ready: readonly string[];
  readonly busy?: readonly string[] | undefined;
  readonly dialog?: readonly string[] | undefined;
  readonly box: string;
  readonly boxMore?: string | undefined;
  readonly folded?: string | undefined;
  readonly interruptKeys?: readonly string[] | undefined;
  readonly wipeKeys?: readonly string[] | undefined;
}
