import type { z } from 'zod';
import { LlmcError } from '../../base/error.ts';

/** Checks that arguments from the wire have the required shape. The command line adds the help of its command as the hint. */
export function checkArgs<Args>(schema: z.ZodType<Args>, args: unknown): Args {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'the arguments are not valid' }] = parsed.error.issues;
  throw new LlmcError('INVALID_ARGUMENT', path.length === 0 ? message : `${path.join('.')}: ${message}`);
}
