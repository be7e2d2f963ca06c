import * as z from 'zod';
import { LlmcError } from '../base/error.ts';

// Reserved: `logs/llmc.log` is the supervisor's log, and the tmux session `llmc-sentinel` keeps the server alive.
const RESERVED: readonly string[] = ['llmc', 'sentinel'];

const RULE = 'a worker name: a lower-case letter, then up to 31 of a-z, 0-9 and "-"';

/** Strict, because the name becomes a directory, a branch and a tmux session. */
export const workerNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, { error: `expected ${RULE}` })
  .refine((name) => !RESERVED.includes(name), { error: 'this name is kept for llmc itself' })
  .describe(RULE);

export function parseWorkerName(text: string): string {
  const parsed = workerNameSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const reason = parsed.error.issues[0]?.message ?? `expected ${RULE}`;
  throw new LlmcError('INVALID_ARGUMENT', `${JSON.stringify(shown)} is not a usable worker name: ${reason}`, {
    hint: 'Choose a short name such as adam or baker-2.',
  });
}
