export interface SkipPermissionsSetting {
  readonly isRoot: boolean;
  /** The environment of the agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Claude Code 2.1.325 exits with status 1 when root passes --dangerously-skip-permissions, unless IS_SANDBOX=1
 * declares a disposable machine. Only the user knows that, so llmc never sets it.
 */
export function skipPermissionsProblem({ isRoot, env }: SkipPermissionsSetting): string | undefined {
  if (!isRoot || env['IS_SANDBOX'] === '1') return undefined;
  return (
    'Claude Code refuses skip_permissions for root. Run llmc as another user, or, if this machine may be thrown away, ' +
    'set IS_SANDBOX = "1" in [agents.claude] env.'
  );
}
