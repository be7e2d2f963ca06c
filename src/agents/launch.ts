export interface LaunchRequest {
  readonly worker: string;
  readonly root: string;
  readonly worktree: string;
  /** The git folder of the worktree, which only this worker writes. */
  readonly repository: string;
  /** Where the agent writes its events. */
  readonly spool: string;
  /** A private directory of this worker for the settings files that llmc passes by flag. */
  readonly scratch: string;
  readonly incarnation: number;
  /** The first line of this incarnation's reports; undefined for a program that does not report. */
  readonly seal?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly model: string;
  readonly rolePrompt: string;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  /** A new conversation with an id that llmc chose, or an earlier one to resume. */
  readonly conversation: { readonly kind: 'fresh'; readonly id: string } | { readonly kind: 'resume'; readonly id: string };
}

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  /** Added to the user's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Written (0600) before the launch: path relative to `scratch` → content. */
  readonly files: Readonly<Record<string, string>>;
}

/** The variables that a program needs to report through the spool. */
export function reportingEnvironment(request: LaunchRequest): Readonly<Record<string, string>> {
  return {
    LLMC_WORKER: request.worker,
    LLMC_ROOT: request.root,
    LLMC_SPOOL: request.spool,
    LLMC_INCARNATION: String(request.incarnation),
    LLMC_SCRATCH: request.scratch,
    ...(request.seal !== undefined && { LLMC_SEAL: request.seal }),
  };
}
