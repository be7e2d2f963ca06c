import { z } from 'zod';

const unixSeconds = z.int().positive();

/** One worker of `status --json`, as the command line's contract names and types it. Further keys are allowed; these are required. */
const workerContract = z.object({
  name: z.string(),
  agent: z.string(),
  model: z.string(),
  status: z.enum(['idle', 'working', 'needs_input', 'needs_review', 'rejected', 'rebasing', 'error', 'offline']),
  /** Its status before its session stopped. */
  status_before_offline: z.string().nullable(),
  activity: z.object({
    kind: z.enum([
      'starting',
      'ready',
      'processing',
      'awaiting_question',
      'awaiting_permission',
      'waiting_limit',
      'error',
      'exited',
      'unknown',
    ]),
    since_unix: unixSeconds,
    source: z.enum(['process', 'hook', 'status_file', 'protocol', 'screen', 'git', 'timing', 'none']),
  }),
  current_prompt: z.string().nullable(),
  branch: z.string(),
  worktree_path: z.string(),
  session_id: z.string(),
  commit_sha: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .nullable(),
  created_at_unix: unixSeconds,
  last_activity_unix: unixSeconds,
  crash_count: z.int().nonnegative(),
  delivery: z
    .object({
      id: z.string(),
      state: z.enum(['queued', 'held', 'typed', 'submitted', 'acked', 'done', 'failed']),
      attempt: z.int().nonnegative(),
      pending: z.int().nonnegative(),
      reason: z.string().nullable(),
      reason_kind: z.string().nullable(),
    })
    .nullable(),
  attention: z.string().min(1).nullable(),
  attention_kind: z.string().min(1).nullable(),
  asks: z
    .object({
      id: z.string().min(1).nullable(),
      tool: z.string().nullable(),
      command: z.string().nullable(),
      question: z.string(),
      choices: z.array(z.string()),
      several: z.boolean(),
      screen: z.array(z.string()).nullable(),
    })
    .nullable(),
  waiting: z.string().min(1).nullable(),
  waiting_kind: z.string().min(1).nullable(),
  usage: z
    .object({
      sampled_at_unix: unixSeconds,
      cpu_percent: z.number().nonnegative().nullable(),
      memory_bytes: z.int().positive().nullable(),
      tokens: z.object({ input: z.int(), output: z.int(), cache_read: z.int(), cache_write: z.int() }).nullable(),
      context: z.object({ tokens: z.int(), window: z.int().nullable() }).nullable(),
      cost_usd: z.number().nullable(),
    })
    .nullable(),
});

export const statusContract = z.object({
  root: z.string(),
  source: z.string(),
  branch: z.string(),
  problems: z.array(z.string().min(1)),
  supervisor: z.union([
    z.object({ running: z.literal(true), pid: z.int().positive(), since_unix: unixSeconds, stalled_since_unix: unixSeconds.nullable() }),
    z.object({ running: z.literal(false), pid: z.null(), since_unix: z.null(), stalled_since_unix: z.null() }),
  ]),
  limits: z.array(
    z.object({
      account: z.string(),
      until_unix: unixSeconds,
      since_unix: unixSeconds,
      why: z.string(),
      worker: z.string(),
      continues_by_itself: z.boolean(),
    }),
  ),
  budget: z.string().min(1).nullable(),
  workers: z.array(workerContract),
});

export type StatusContract = z.infer<typeof statusContract>;

/** The content of `{"error": …}`. It includes a hint: every error says what to type next. */
export const errorContract = z.strictObject({
  code: z.string().regex(/^[A-Z_]+$/),
  category: z.enum(['AGENT_ERROR', 'WORKFLOW_ERROR', 'SYSTEM_ERROR', 'USER_ERROR', 'EXTERNAL_ERROR']),
  severity: z.enum(['fatal', 'error', 'warning', 'info']),
  message: z.string().min(1),
  hint: z.string().min(1),
  /** Null when there is nothing to add: a script may read any of these keys. */
  details: z.string().nullable(),
});
