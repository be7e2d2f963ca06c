import { z } from 'zod';
import { ERROR_CODES } from '../../base/error-codes.ts';
import type { ErrorRecord } from '../error-record.ts';

const text = z.string();

export const codeSchema = z.custom<ErrorRecord['code']>((value) => typeof value === 'string' && Object.hasOwn(ERROR_CODES, value));

/** An error record as it is stored. */
export const errorSchema: z.ZodType<ErrorRecord> = z.lazy(() =>
  z.object({
    id: text,
    code: codeSchema,
    category: z.enum(['AGENT_ERROR', 'WORKFLOW_ERROR', 'SYSTEM_ERROR', 'USER_ERROR', 'EXTERNAL_ERROR']),
    severity: z.enum(['fatal', 'error', 'warning', 'info']),
    message: text,
    details: text.nullable(),
    suggestion: text.nullable(),
    component: text,
    role: text.nullable(),
    at: z.int(),
    durationMs: z.number().nullable(),
    recoverable: z.boolean(),
    retryable: z.boolean(),
    retries: z.int(),
    strategy: text.nullable(),
    stack: text.nullable(),
    context: z.record(text, z.unknown()),
    cause: errorSchema.nullable(),
  }),
);
