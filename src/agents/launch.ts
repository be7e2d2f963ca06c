export interface LaunchRequest {
  readonly worker: string;
  readonly root: string;
  readonly worktree: string;
  /** Where the agent drops its events. */
  readonly spool: string;
  /** A directory of llmc's own, private to this worker, for settings files it passes by flag. */
  readonly scratch: string;
  readonly incarnation: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly model: string;
  readonly rolePrompt: string;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  /** A fresh conversation under an id llmc chose, or an earlier one taken up again. */
  readonly conversation: { readonly kind: 'fresh'; readonly id: string } | { readonly kind: 'resume'; readonly id: string };
}

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  /** Added to the user's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Written (0600) before the launch: path relative to `scratch` → content. */
  readonly files: Readonly<Record<string, string>>;
}

/** What a program needs to know to report through the spool. */
export function reportingEnvironment(request: LaunchRequest): Readonly<Record<string, string>> {
  return {
    LLMC_WORKER: request.worker,
    LLMC_ROOT: request.root,
    LLMC_SPOOL: request.spool,
    LLMC_INCARNATION: String(request.incarnation),
    LLMC_SCRATCH: request.scratch,
  };
}
