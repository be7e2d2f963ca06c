import { z } from 'zod';
import { errorSchema } from '../../recovery/errors/error-schema.ts';
import { RECOVERY_OUTCOMES } from '../model/action.ts';
import type { Escalation } from '../model/escalation.ts';
import { type HistoryLine, type LoggedError, type LoggedRetry, RETRY_OUTCOMES } from '../store/ports.ts';
import { escalationSchema } from '../store/run-schema.ts';
import { dataIn, documentText, yaml } from './state-text.ts';

/** What a report tells about a run, beside its state. */
export interface KeptRecords {
  readonly errors: readonly LoggedError[];
  readonly questions: readonly Escalation[];
  readonly retries: readonly LoggedRetry[];
  readonly history: readonly Omit<HistoryLine, 'seq'>[];
}

/** A file of this size is written at most once a second. The log of the run has the older lines. */
const MOST_HISTORY = 2_000;

const text = z.string();
const recordsSchema = z.object({
  run: text,
  errors: z.array(z.object({ outcome: z.enum(RECOVERY_OUTCOMES).nullable(), error: errorSchema })),
  questions: z.array(escalationSchema),
  retries: z.array(
    z.object({
      step: text.nullable(),
      operation: text,
      key: text,
      attempt: z.int(),
      at: z.int(),
      delayMs: z.number().nullable(),
      error: errorSchema,
      outcome: z.enum(RETRY_OUTCOMES).nullable(),
    }),
  ),
  history: z.array(z.object({ step: text.nullable(), at: z.int(), text })),
});

/** `records.yaml`: the failures of a run, its questions with their answers, its retries and its decisions. */
export function recordsText(run: string, { errors, questions, retries, history }: KeptRecords): string {
  const kept = history.slice(-MOST_HISTORY).map(({ step, at, text: said }) => ({ step, at, text: said }));
  return documentText(
    [
      `workflow_id: ${yaml(run)}`,
      `failures: ${errors.length}`,
      `questions: [${questions.map(({ number, answer }) => yaml(`#${number}: ${answer?.option ?? 'open'}`)).join(', ')}]`,
      `retries: ${retries.length}`,
    ],
    { run, errors: errors.map(({ outcome, ...error }) => ({ outcome, error })), questions, retries, history: kept },
  );
}

/** Undefined if the file is damaged, or if it is that of another run. */
export function readRecords(run: string, content: string): KeptRecords | undefined {
  const { data } = recordsSchema.safeParse(dataIn(content));
  if (data === undefined || data.run !== run) return undefined;
  const { errors, questions, retries, history } = data;
  return { errors: errors.map(({ outcome, error }) => ({ ...error, outcome })), questions, retries, history };
}
