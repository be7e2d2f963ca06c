import { z } from 'zod';
import { AGENT_ERROR_TYPES } from '../agents/activity.ts';
import { failReasonSchema, holdReasonSchema } from './tables/delivery-reason.ts';

const choices = z.array(z.string());

/**
 * Why a resolution ended without a result.
 * - `aborted`: the agent aborted the rebase
 * - `went_on`: the agent ended the rebase and committed on top of its old commit, which stays
 * - `elsewhere`: the agent ended the rebase with other commits; llmc put the old one back
 * - `worktree_deleted`: the rebase was in a worktree that is gone
 * - `in_the_way`: untracked files stop git from beginning the rebase
 * - `person`: `llmc rebase --abort`
 */
const givenUpSchema = z.enum(['aborted', 'went_on', 'elsewhere', 'worktree_deleted', 'in_the_way', 'person']);
export type GivenUp = z.infer<typeof givenUpSchema>;

export const attentionSchema = z.discriminatedUnion('kind', [
  /** Work waits for a review. `uncommitted`: there are changes besides the commit. `probably`: why llmc thinks that the turn is over, if it cannot know. */
  z.object({ kind: z.literal('review'), uncommitted: z.boolean(), probably: z.string().exactOptional() }),
  /** The same, and its agent ended too often to be started again before the review is decided. */
  z.object({ kind: z.literal('review_without_agent'), endings: z.int() }),
  /** `unread`: llmc knows neither its choices nor its keys. `gone`: its dialog ended with the agent, so the answer goes out as a prompt. */
  z.object({ kind: z.literal('question'), question: z.string(), choices, unread: z.boolean(), gone: z.literal(true).optional() }),
  z.object({ kind: z.literal('permission'), tool: z.string(), command: z.string().nullable(), question: z.string(), choices }),
  z.object({ kind: z.literal('startup_dialog'), question: z.string() }),
  /** The CLI asks how to log in. */
  z.object({ kind: z.literal('login'), question: z.string() }),
  /** The answer that a task asked for waits to be read. `uncommitted`: there are changed files besides. `probably`: as for a review. */
  z.object({ kind: z.literal('answer'), uncommitted: z.boolean(), probably: z.string().exactOptional() }),
  /**
   * The turn ended without what the task asked for. `files`: the first ones that are not committed, of `count`.
   * `to_review`: the commit that was sent back waits for a decision again.
   */
  z.object({
    kind: z.literal(['no_commit', 'commit_unchanged', 'no_answer']),
    files: z.array(z.string()).exactOptional(),
    count: z.int().exactOptional(),
    to_review: z.literal(true).exactOptional(),
    probably: z.string().exactOptional(),
  }),
  /**
   * The turn ended where no review can begin.
   * - `unborn`: HEAD is on a branch without a commit
   * - `unrelated`: its commits have no history in common with main
   * - `unreadable`: git cannot read HEAD, the branch or the index; `problem` is what it says
   */
  z.object({
    kind: z.literal('off_branch'),
    /** Main. */
    branch: z.string(),
    why: z.enum(['unborn', 'unrelated', 'unreadable']),
    problem: z.string().exactOptional(),
  }),
  z.object({ kind: z.literal('worktree_deleted') }),
  z.object({ kind: z.literal('draft_in_box') }),
  z.object({
    /** `agent_blocked`: to try again would not help before a person has acted. */
    kind: z.literal(['turn_failed', 'agent_blocked']),
    error: z.enum(AGENT_ERROR_TYPES),
    message: z.string(),
    /** How often llmc told the agent to continue before it called a person. */
    attempts: z.int().optional(),
  }),
  /** `not_found`: its session was gone each time, without a trace. `screen`: the file with its last screen. */
  z.object({ kind: z.literal(['crashed', 'not_found']), endings: z.int(), screen: z.string().optional() }),
  /** Another start would not help. */
  z.object({ kind: z.literal('cannot_start'), cause: z.enum(['fatal', 'missing_program']), screen: z.string().optional() }),
  /** No sign of progress, and no answer. `at_ms`: when llmc gave up; later progress ends it. */
  z.object({ kind: z.literal('stuck'), quiet_ms: z.int(), at_ms: z.int() }),
  z.object({ kind: z.literal('conflict'), branch: z.string(), files: z.array(z.string()) }),
  /** A resolution ended without a result: the work still conflicts. */
  z.object({
    kind: z.literal('conflict_given_up'),
    branch: z.string(),
    files: z.array(z.string()),
    /** */
    why: givenUpSchema,
    /** What was in the worktree, if the work from before was put back there. */
    rescue: z.string().optional(),
    /** The files that stop git from beginning the rebase. */
    in_the_way: z.array(z.string()).optional(),
  }),
  /** The agent does not resolve the conflict without a person. */
  z.object({ kind: z.literal('resolution_stuck'), why: z.enum(['loop', 'stuck', 'tampered', 'validation']), files: z.array(z.string()) }),
  /**
   * A resolved conflict waits for a review. `lost`: lines and files that the result does not have. `altered`: those that it has in
   * another form, or only it has. `rescue`: the work from before the rebase, if the result lacks
   * something of it.
   */
  z.object({
    kind: z.literal('resolved'),
    branch: z.string(),
    lost: z.int(),
    uncommitted: z.boolean(),
    altered: z.int().optional(),
    rescue: z.string().optional(),
  }),
  /**
   * `todo`: what a person has to do in the source; the work itself is not the reason. `branch`: where it should land, if not on main.
   * `blocked`: the checkout of the source with the files in the way, or with an operation in progress.
   */
  z.object({
    kind: z.literal('not_landed'),
    problem: z.string(),
    todo: z.string().optional(),
    branch: z.string().exactOptional(),
    blocked: z.object({ where: z.string(), files: z.array(z.string()) }).exactOptional(),
  }),
  /** An accept runs a validation command. Reported, not stored. */
  z.object({ kind: z.literal('landing'), line: z.string(), seconds: z.int() }),
  /** On main, but the worker is not ready for its next task. */
  z.object({ kind: z.literal('unsettled_landing'), commit: z.string(), branch: z.string(), problem: z.string() }),
  /** A signal stopped its process. */
  z.object({ kind: z.literal('agent_stopped'), pid: z.int() }),
  /** A prompt has waited too long for a reason that a person can end. */
  z.object({ kind: z.literal('prompt_waits'), reason: holdReasonSchema }),
  z.object({ kind: z.literal('delivery_failed'), reason: failReasonSchema }),
  z.object({ kind: z.literal('memory_restarted'), megabytes: z.int(), limit_mb: z.number() }),
  /** Restarts did not help. */
  z.object({ kind: z.literal('memory_exceeded'), megabytes: z.int(), limit_mb: z.number(), restarts: z.int() }),
  z.object({ kind: z.literal('restored'), rescue: z.string() }),
  /** Its record contradicted itself, and llmc could not know what was meant. */
  z.object({ kind: z.literal('repaired'), problem: z.enum(['no_prompt', 'no_commit', 'no_conflict', 'no_record', 'no_run']) }),
  /** A pass failed for this worker. `hint`: the way out, where the error knows one. */
  z.object({ kind: z.literal('trouble'), message: z.string(), hint: z.string().nullable() }),
  z.object({ kind: z.literal('unreadable_screen'), rule: z.string() }),
  z.object({ kind: z.literal(['not_started', 'being_started', 'no_session']) }),
]);

/** What a person should know or do about a worker. */
export type Attention = z.infer<typeof attentionSchema>;
export type OffBranch = Extract<Attention, { kind: 'off_branch' }>;
export type Trouble = Extract<Attention, { kind: 'trouble' }>;

/** A prompt that waits is the reason: it ends once the prompt is on its way. */
export function isAboutPrompt({ kind }: Attention): boolean {
  return kind === 'prompt_waits' || kind === 'draft_in_box' || kind === 'agent_stopped';
}

/** Only its own terminal can end it: llmc has no answer that would help. */
export function needsTerminal(attention: Attention | null): boolean {
  switch (attention?.kind) {
    case 'startup_dialog':
    case 'login':
      return true;
    case 'question':
      return attention.unread;
    default:
      return false;
  }
}
