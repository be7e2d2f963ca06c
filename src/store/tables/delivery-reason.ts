import { z } from 'zod';

const limitWait = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('until_reset'), until_ms: z.number() }),
  /** The limit is over, and the workers of the account continue one after the other. */
  z.object({ phase: z.literal('in_turn') }),
  /** The limit is over, and this agent continues without a prompt. */
  z.object({ phase: z.literal('by_itself') }),
]);

export const holdReasonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal([
      'starting',
      'busy',
      'not_running',
      'unknown_activity',
      'copy_mode',
      'person_typing',
      'draft_in_box',
      'no_reaction',
    ] as const),
  }),
  z.object({ kind: z.literal('agent_stopped'), pid: z.int() }),
  /** A person opened it over the input box, or switched the box. `key` closes it. */
  z.object({
    kind: z.literal('something_open'),
    what: z.enum(['menu', 'transcript', 'shell_mode', 'suspended']),
    title: z.string(),
    key: z.string(),
  }),
  /** `tool` and `command`: what the agent wants permission for, where the question does not say it. */
  z.object({ kind: z.literal('dialog_open'), question: z.string(), tool: z.string().optional(), command: z.string().optional() }),
  z.object({ kind: z.literal('usage_limit'), account: z.string(), wait: limitWait }),
  /** It was queued before the turn failed, and the interrupted task is continued first. */
  z.object({ kind: z.literal('behind_failed_turn'), until_ms: z.number() }),
]);

/** Why a prompt waits before anything of it is sent. */
export type HoldReason = z.infer<typeof holdReasonSchema>;

/** Why a prompt was given up. The first two may also queue it again; then they have no `attempts`. */
export const failReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), message: z.string(), attempts: z.int().optional() }),
  z.object({ kind: z.literal('not_in_record'), attempts: z.int().optional() }),
  z.object({ kind: z.literal('not_accepted'), attempts: z.int() }),
  z.object({ kind: z.literal('enter_ignored'), presses: z.int() }),
  /** The last two: an agent without patterns, whose screen does not prove what was typed. */
  z.object({ kind: z.literal(['never_recorded', 'cannot_empty', 'unproven']) }),
]);

export type FailReason = z.infer<typeof failReasonSchema>;

const deliveryReasonSchema = z.discriminatedUnion('kind', [
  ...holdReasonSchema.options,
  /** Queued again. */
  z.object({
    kind: z.literal([
      'agent_gone',
      'never_reported',
      'leftover_in_box',
      'partly_typed',
      'typed_twice',
      'never_shown',
      'not_recorded',
      'agent_respawned',
    ]),
  }),
  ...failReasonSchema.options,
  /** With an agent that shows nothing of it. */
  z.object({ kind: z.literal('unverified') }),
  /** Ended by something else. */
  z.object({
    kind: z.literal([
      'cut_short',
      'told_again',
      'taken_back',
      'work_accepted',
      'worker_reset',
      'conflict_over',
      'person_called',
      'already_taken',
      'database_restored',
      'other_task',
      'canceled',
      'turn_over',
      'asked_again',
      'told_to_save',
    ] as const),
  }),
]);

/** Why a prompt is held, queued again, given up or over before its turn ended. */
export type DeliveryReason = z.infer<typeof deliveryReasonSchema>;

export const reasonColumn = z.codec(z.string(), deliveryReasonSchema, {
  decode: (text) => deliveryReasonSchema.parse(JSON.parse(text)),
  encode: (reason) => JSON.stringify(reason),
});
