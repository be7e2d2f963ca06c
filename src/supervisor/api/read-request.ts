import { z } from 'zod';
import { LlmcError } from '../../base/error.ts';
import type { ProcessClaim } from '../../system/processes/meet-challenge.ts';
import type { Request } from './wire.ts';

const requestSchema = z.object({
  version: z.string(),
  protocol: z.int().optional(),
  name: z.string(),
  args: z.unknown(),
  code: z.string().optional(),
  parent: z.int().optional(),
});

const claimSchema = z.object({ pid: z.int().positive(), fd: z.int().nonnegative() });

/** Reads the answer of a caller that was asked to prove which process it is. Undefined for anything else. */
export function readClaim(line: string): ProcessClaim | undefined {
  return claimSchema.safeParse(parseJson(line)).data;
}

/** Reads a line from a caller. A line that is not a request is the caller's mistake, not the supervisor's. */
export function readRequest(line: string): Request {
  const parsed = requestSchema.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  throw notARequest('the request does not have the fields "version" and "name", both text');
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw notARequest('the request is not a line of JSON');
  }
}

function notARequest(problem: string): LlmcError {
  return new LlmcError('INVALID_ARGUMENT', problem, { hint: 'Use the llmc command, which knows what the socket expects: llmc help' });
}
