import { z } from 'zod';
import { LlmcError } from '../../base/error.ts';

/** Checks that arguments from the wire have the required shape. */
export function checkArgs<Args>(schema: z.ZodType<Args>, args: unknown): Args {
  const parsed = schema.safeParse(args);
  if (!parsed.success) throw new LlmcError('INVALID_ARGUMENT', z.prettifyError(parsed.error), { hint: 'llmc help' });
  return parsed.data;
}
