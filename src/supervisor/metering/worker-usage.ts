/** What a worker uses, in `status --json`; the names are the contract. Null where nobody knows. */
export interface WorkerUsage {
  readonly sampled_at_unix: number;
  /** Of one core, over the last ten seconds: the agent and all it has started. */
  readonly cpu_percent: number | null;
  readonly memory_bytes: number | null;
  /** Of its conversation, by the CLI's own record. */
  readonly tokens: { readonly input: number; readonly output: number; readonly cache_read: number; readonly cache_write: number } | null;
  /** How much of the model's window the conversation fills. */
  readonly context: { readonly tokens: number; readonly window: number | null } | null;
  readonly cost_usd: number | null;
}
