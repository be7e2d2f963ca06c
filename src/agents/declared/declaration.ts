/** The declaration of an agent in config.toml. Patterns are regular expressions for one line of the screen. */
export interface AgentDeclaration {
  /** Arguments after `args` for a new conversation, and those used instead to resume one. */
  readonly startArgs?: readonly string[] | undefined;
  readonly resumeArgs?: readonly string[] | undefined;
  readonly ready?: readonly string[] | undefined;
  readonly busy?: readonly string[] | undefined;
  readonly dialog?: readonly string[] | undefined;
  /** Without it, llmc checks what it types by the text on the screen. */
  readonly box?: string | undefined;
  readonly boxMore?: string | undefined;
  readonly folded?: string | undefined;
  readonly quietSecs?: number | undefined;
  readonly multiline?: boolean | undefined;
  readonly interruptKeys?: readonly string[] | undefined;
  readonly wipeKeys?: readonly string[] | undefined;
}
