/** The usage of a worker in `status --json`; the names are the contract. Null where unknown. */
export interface WorkerUsage {
  readonly sampled_at_unix: number;
  /** The share of one core over the last ten seconds: the agent and all its descendants. */
  readonly cpu_percent: number | null;
  readonly memory_bytes: number | null;
  /** The usage of its conversation, from the CLI's own transcript. */
  readonly tokens: { readonly input: number; readonly output: number; readonly cache_read: number; readonly cache_write: number } | null;
  /** How much of the model's window the conversation fills. */
  readonly context: { readonly tokens: number; readonly window: number | null } | null;
  readonly cost_usd: number | null;
}
