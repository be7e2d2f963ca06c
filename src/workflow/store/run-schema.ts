import { z } from 'zod';
import { DEGRADATION_LEVELS } from '../../recovery/degradation.ts';
import { codeSchema, errorSchema } from '../../recovery/errors/error-schema.ts';
import { TRIGGERS } from '../definition/plan.ts';
import type { Run } from '../model/run.ts';

const instant = z.int();
const text = z.string();

const redoSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('attempt'),
    conversation: z.enum(['fresh', 'resume']),
    endSession: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.literal('follow_up'), text, limitMs: z.number().nullable() }),
  z.object({ kind: z.enum(['collect', 'check', 'land']) }),
]);

const deadlineSchema = z.object({ at: instant, leftMs: z.number().nullable() });

const nudgeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['sending', 'waiting']), action: text }),
  z.object({ kind: z.literal('taken'), action: text, at: instant }),
  z.object({ kind: z.literal('looking'), action: text, takenMs: instant.nullable() }),
]);

const stateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('under_way'), deadline: deadlineSchema.nullable() }),
  z.object({
    kind: z.literal('acting'),
    action: text,
    doing: z.enum(['attempt', 'follow_up', 'save', 'collect', 'check', 'land', 'undo']),
    limitMs: z.number().nullable(),
    startBy: deadlineSchema.exactOptional(),
  }),
  z.object({ kind: z.literal('working'), action: text, deadline: deadlineSchema.nullable(), nudge: nudgeSchema.exactOptional() }),
  z.object({ kind: z.literal('cooling'), until: instant, redo: redoSchema }),
  z.object({
    kind: z.literal('asking'),
    escalation: z.int(),
    working: z.object({ action: text, deadline: deadlineSchema }).exactOptional(),
  }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('skipped'), why: text, cause: z.enum(['condition', 'failure', 'person']).default('condition') }),
  z.object({ kind: z.literal('failed'), error: errorSchema }),
]);

const resultSchema = z.object({
  artifacts: z.record(text, z.object({ path: text, sha256: text, value: z.unknown() })),
  commit: text.nullable(),
  answer: text.nullable(),
  verdict: z
    .object({
      verdict: z.enum(['approved', 'changes', 'inconsistent', 'cannot_judge']),
      issues: z.array(text),
      items: z.array(text).exactOptional(),
    })
    .nullable(),
});

export const stepSchema = z.object({
  address: text,
  state: stateSchema,
  attempt: z.int(),
  tries: z.int(),
  tried: z.array(text),
  seat: z.int().nullable(),
  failures: z.partialRecord(z.union([z.enum(TRIGGERS), codeSchema]), z.int()),
  round: z.int(),
  moreRounds: z.int().exactOptional(),
  feedback: text.nullable(),
  result: resultSchema.nullable(),
  offer: text.nullable().exactOptional(),
  marks: z.array(text),
  startedMs: instant.nullable(),
  endedMs: instant.nullable(),
  recoveredMs: instant.nullable(),
  unsettled: z.boolean().exactOptional(),
  item: z
    .object({ key: text, value: z.unknown(), after: z.array(text), recoveries: z.int() })
    .nullable()
    .default(null),
});

export const escalationSchema = z.object({
  number: z.int(),
  type: z.enum([
    ...(['approval', 'blocked', 'timeout', 'crash', 'invalid_output', 'unavailable', 'resource', 'unmet', 'failed'] as const),
    ...(['quality_floor', 'circuit_breaker', 'compensation'] as const),
  ]),
  step: text.nullable(),
  text,
  options: z.array(text),
  recommended: text,
  at: instant,
  target: text.nullable().default(null),
  reason: text.exactOptional(),
  terminal: text.exactOptional(),
  deadline: z.object({ option: text, at: instant, warnAt: instant, warned: z.boolean() }).nullable().default(null),
  answer: z
    .object({ option: text, text: text.nullable(), at: instant, by: z.enum(['person', 'default', 'run']).default('person') })
    .nullable(),
  lost: z.object({ agents: z.array(z.object({ agent: text, attempts: z.int(), why: text })), output: text.nullable() }).exactOptional(),
});

const compensationSchema = z.object({
  number: z.int(),
  at: instant,
  stage: text,
  reason: text,
  action: z.enum(['rollback', 'reassign', 'retry']),
  steps: z.array(text),
  archived: text,
  notified: z.boolean(),
  items: z.array(text).exactOptional(),
  landings: z
    .array(
      z.object({
        step: text,
        seat: text,
        commit: text.nullable(),
        offer: text.nullable(),
        action: text.nullable(),
        state: z.enum(['pending', 'undone', 'kept']),
        revert: text.nullable(),
      }),
    )
    .default([]),
});

const failures = z.int();
export const breakerStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed'), failures }),
  z.object({ kind: z.literal('open'), failures, until: instant }),
  z.object({ kind: z.literal('half_open'), failures, trial: text }),
]);

const breakerSchema = z.object({
  state: breakerStateSchema,
  whenOpen: z.enum(['partial', 'skip', 'ask', 'abort', 'manual']),
  stretch: z.number(),
});

export const RUN_STATUSES = ['running', 'pausing', 'paused', 'done', 'failed', 'aborted'] as const;

/** A run without what is stored in columns of its own: plan, inputs, status, version. */
export const runStateSchema = z.object({
  files: z.record(text, text).exactOptional(),
  counter: z.int(),
  clock: z.object({ startedMs: instant, stoppedMs: z.number(), stoppedSince: instant.nullable(), endedMs: instant.nullable() }),
  pause: z.object({ sinceMs: instant, untilMs: instant }).nullable().default(null),
  steps: z.record(text, stepSchema),
  roles: z.record(
    text,
    z.object({
      agent: z.enum(['own', 'fallback']),
      unavailable: z.boolean(),
      replaced: errorSchema.exactOptional(),
      backMs: instant.exactOptional(),
      letters: z.array(z.object({ from: text, text })),
    }),
  ),
  recoveries: z.int(),
  level: z.enum(DEGRADATION_LEVELS),
  warnings: z.array(text),
  notices: z.array(z.object({ number: z.int(), at: instant, step: text, code: codeSchema, text })).default([]),
  losses: z.array(z.object({ step: text.nullable(), impact: text, mitigation: text })).default([]),
  escalations: z.array(escalationSchema),
  compensations: z.array(compensationSchema).default([]),
  breakers: z.record(text, breakerSchema).default({}),
  checkpointMs: instant,
  seats: z.array(text),
  dismissMs: instant.nullable(),
  error: errorSchema.nullable(),
});

export type StoredRunState = Omit<Run, 'id' | 'plan' | 'inputs' | 'status' | 'version'>;
