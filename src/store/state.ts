import { z } from 'zod';
import { AGENT_ERROR_TYPES } from '../agents/activity.ts';
import { isConversationId } from '../base/conversation-id.ts';
import { workerNameSchema } from '../config/worker-name.ts';
import { attentionSchema } from './attention.ts';
import { STATUSES } from './statuses.ts';

const unixSeconds = z.int().nonnegative();
const sha = z.string().regex(/^[0-9a-f]{40,64}$/, 'expected a full commit id');

/** Failed turns in a row; `src/recovery/decide-failed-turn.ts` says what the fields mean. */
const failedTurnSchema = z.strictObject({
  error: z.enum(AGENT_ERROR_TYPES),
  message: z.string(),
  event: z.int().nonnegative().nullable(),
  since_ms: z.int().nonnegative(),
  attempt: z.int().nonnegative(),
  attempts: z.int().nonnegative(),
  until_ms: z.int().nonnegative().nullable(),
});

/** What a worker of a run has in place of an entry in config.toml. */
const ofRunSchema = z.strictObject({
  /** The run's id. */
  id: z.string(),
  role: z.string(),
  agent: z.string(),
  /** Null: the model of the configuration. */
  model: z.string().nullable(),
  role_prompt: z.string().nullable(),
  /** What follows the worker's name in the name of its session, such as `-r2`. */
  session: z.string().regex(/^(-[a-z0-9]+)*$/, 'expected the end of a session name'),
  /** Its session was ended on purpose: worktree and conversation stay, and `up` does not start it. */
  resting: z.boolean(),
  /** The last task, by its id. `work`: the run decides about its end. `review`: it is offered to a person, like any finished work. */
  task: z.strictObject({ id: z.string(), kind: z.enum(['work', 'review']), marks: z.array(z.string()).exactOptional() }).nullable(),
});

/** What a worker that the pool made has in place of an entry in config.toml. */
const ofPoolSchema = z.strictObject({
  agent: z.string(),
  /** Null: the model of the configuration. */
  model: z.string().nullable(),
});

/** One worker as `state.json` keeps it. Field names are the file's contract, hence snake_case. */
export const workerSchema = z.strictObject({
  name: workerNameSchema,
  worktree_path: z.string(),
  branch: z.string(),
  session_id: z.string(),
  agent: z.string(),
  status: z.enum(STATUSES),
  /** The status when the session ended; the worker continues there. */
  status_before_offline: z.enum(STATUSES).nullable(),
  current_prompt: z.string().nullable(),
  /** What a finished task leaves behind. */
  expects: z.enum(['commit', 'artifact', 'answer']),
  created_at_unix: unixSeconds,
  last_activity_unix: unixSeconds,
  /** The last message of the turn that finished the task, cut. */
  summary: z.string().nullable(),
  /** The branch that its last accepted work is on, if that is not main. */
  landed_on: z.string().nullable(),
  /** Where a person wants its work to land, from an accept that has not landed it; a null branch is main. */
  chosen_place: z.strictObject({ branch: z.string().nullable() }).nullable(),
  /** A person sent its commit back, and it came back as it was; until it changes, is decided, or is sent back again. */
  came_back_unchanged: z.boolean(),
  /** The answer that waits to be read, by its id in the table of answers. */
  answer: z.string().nullable(),
  /** What `[repo] format` changed in the work: its commands and the files. */
  formatted: z.object({ lines: z.array(z.string()), files: z.array(z.string()) }).nullable(),
  /** Commits that main had once and has no more, and that llmc left out of the work when it rebased it. */
  left_out: z
    .strictObject({ commits: z.array(z.strictObject({ commit: sha, subject: z.string() })), count: z.int().nonnegative() })
    .nullable(),
  /** The commit awaiting review. */
  commit_sha: sha.nullable(),
  /** How much that commit changes; another commit has not been measured yet. */
  work_size: z
    .strictObject({ commit: sha, insertions: z.int().nonnegative(), deletions: z.int().nonnegative(), files: z.int().nonnegative() })
    .nullable(),
  /** Main as it was when the task began. */
  base_commit: sha.nullable(),
  /** Fingerprint of the change that a person last reviewed: only that change lands. */
  reviewed_patch_id: z.string().nullable(),
  /** The commit in which that change was reviewed. */
  reviewed_commit: sha.nullable(),
  /** The revision of the state when a person was last shown the work; null for work that nobody has seen. */
  shown_revision: z.int().nonnegative().nullable(),
  /** Hashes of the message and the author that were reviewed with it. */
  reviewed_words: z.strictObject({ message: z.string(), author: z.string() }).nullable(),
  /** The findings of the proof that was shown with it, if a conflict was resolved. */
  reviewed_proof: z.string().nullable(),
  /** Counts the lives of the agent process; raised before each launch. */
  incarnation: z.int().nonnegative(),
  conversation_id: z.string().refine(isConversationId, 'expected the id of a conversation').nullable(),
  /** Whether that conversation holds anything worth resuming. */
  conversation_used: z.boolean(),
  /** What a person should know or do, or null. */
  attention: attentionSchema.nullable(),
  crash_count: z.int().nonnegative(),
  last_crash_unix: unixSeconds.nullable(),
  /** How starts of the agent ended by themselves, in a row, before they had resumed the conversation. */
  resume_exits: z.array(z.strictObject({ status: z.int().nullable(), signal: z.string().nullable() })),
  /** Turns that failed in a row, until one ends well. */
  failed_turn: failedTurnSchema.nullable(),
  rebase_started_at_unix: unixSeconds.nullable(),
  conflicted_files: z.array(z.string()),
  resolution_attempts: z.int().nonnegative(),
  /** The resolved conflict that the work contains, by its id in the table of resolutions. */
  resolution: z.string().nullable(),
  /** The agent that does one task in place of the worker's own, while that one waits for a usage limit. */
  stand_in: z.string().nullable(),
  /** The run that made the worker for itself; null for a worker of config.toml. */
  run: ofRunSchema.nullable(),
  /** Set if llmc made the worker for a task that waited; null for a worker of config.toml. */
  pool: ofPoolSchema.nullable(),
});

export type Worker = z.infer<typeof workerSchema>;
export type OfPool = z.infer<typeof ofPoolSchema>;
export type OfRun = z.infer<typeof ofRunSchema>;

/** The last usage limit of an account; `src/recovery/usage-limit.ts` says what the fields mean. */
const limitSchema = z.strictObject({
  account: z.string(),
  worker: z.string(),
  why: z.string(),
  since_ms: z.int().nonnegative(),
  until_ms: z.int().nonnegative(),
  named: z.boolean(),
  continues_by_itself: z.boolean(),
  jitter: z.number().min(0).max(1),
  event: z.int().nonnegative(),
  ended_ms: z.int().nonnegative().nullable(),
  ended_event: z.int().nonnegative(),
});

export const stateSchema = z
  .strictObject({
    version: z.literal(1),
    /** Rises by one with every change; the journal in the database has the same number. */
    revision: z.int().nonnegative(),
    workers: z.record(z.string(), workerSchema),
    last_reviewed_worker: z.string().nullable(),
    patrol_last_run_unix: unixSeconds.nullable(),
    /** By account. */
    limits: z.record(z.string(), limitSchema),
  })
  .superRefine((state, context) => {
    for (const [key, worker] of Object.entries(state.workers)) {
      if (key !== worker.name)
        context.addIssue({ code: 'custom', path: ['workers', key, 'name'], message: `is "${worker.name}" under the key "${key}"` });
    }
  });

export type State = z.infer<typeof stateSchema>;

export function emptyState(): State {
  return { version: 1, revision: 0, workers: {}, last_reviewed_worker: null, patrol_last_run_unix: null, limits: {} };
}

/** What follows from a worker's name. */
const nameBranchAndSession = (name: string, run: OfRun | null): Pick<Worker, 'branch' | 'session_id'> => ({
  branch: `llmc/${name}`,
  session_id: nameSession(name, run?.session),
});

export const nameSession = (name: string, suffix = ''): string => `llmc-${name}${suffix}`;

/**
 * The state with every worker in its own place: an agent that edits state.json could name any folder as its worktree, and reset and
 * nuke delete there.
 */
export function inOwnPlaces(state: State, worktree: (worker: string) => string): State {
  const workers = Object.entries(state.workers).map(([name, worker]) => [
    name,
    { ...worker, ...nameBranchAndSession(name, worker.run), worktree_path: worktree(name) },
  ]);
  return { ...state, workers: Object.fromEntries(workers) };
}

/** The record of a new worker, before its first session. */
export function newWorker(about: Pick<Worker, 'name' | 'worktree_path' | 'branch' | 'agent' | 'created_at_unix'>): Worker {
  return {
    ...about,
    session_id: nameSession(about.name),
    status: 'offline',
    status_before_offline: 'idle',
    current_prompt: null,
    expects: 'commit',
    last_activity_unix: about.created_at_unix,
    summary: null,
    answer: null,
    landed_on: null,
    chosen_place: null,
    came_back_unchanged: false,
    formatted: null,
    left_out: null,
    commit_sha: null,
    work_size: null,
    base_commit: null,
    reviewed_patch_id: null,
    reviewed_commit: null,
    shown_revision: null,
    reviewed_words: null,
    reviewed_proof: null,
    incarnation: 0,
    conversation_id: null,
    conversation_used: false,
    attention: null,
    crash_count: 0,
    last_crash_unix: null,
    resume_exits: [],
    failed_turn: null,
    rebase_started_at_unix: null,
    conflicted_files: [],
    resolution_attempts: 0,
    resolution: null,
    stand_in: null,
    run: null,
    pool: null,
  };
}
