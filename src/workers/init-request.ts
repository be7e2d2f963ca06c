export interface InitRequest {
  /** The repository this process stands in, unless named. */
  readonly source: string | undefined;
  readonly target: string;
  readonly agent: string | undefined;
  readonly branch: string | undefined;
  /** Write a configuration with a wall around every agent. */
  readonly hardened?: boolean | undefined;
}

export interface InitResult {
  readonly root: string;
  readonly source: string;
  readonly branch: string;
  readonly agent: string;
  readonly lfs: boolean;
  /** The sandbox of every agent, with `--hardened`. */
  readonly sandbox: 'none' | 'bubblewrap' | 'user';
  /** The root was there; only its config.toml was written again. */
  readonly rebuilt: boolean;
  /** The repository had this root before, and nothing was changed. */
  readonly existing: boolean;
  /** What is still missing before workers can be started. */
  readonly warnings: readonly string[];
}
