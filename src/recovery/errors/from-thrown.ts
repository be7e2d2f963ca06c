import { inspect } from 'node:util';
import { describeError, LlmcError } from '../../base/error.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { toKnownError } from '../../base/known-error.ts';
import { type ErrorRecord, errorRecord } from '../error-record.ts';

/** Deeper causes say nothing new, and an error can be its own cause. */
const MOST_CAUSES = 8;

type Given = Pick<ErrorRecord, 'id' | 'component' | 'at'> & Partial<ErrorRecord>;

/** The record of whatever was thrown, with all of its causes. `code`: for an error that has no code of its own. */
export function errorFromThrown(thrown: unknown, given: Given): ErrorRecord {
  return toRecord(readable(thrown), given, MOST_CAUSES);
}

function toRecord(thrown: unknown, given: Given, depth: number): ErrorRecord {
  const { code: fallback, ...known } = given;
  const hasCause = thrown instanceof Error && thrown.cause !== undefined && thrown.cause !== null && depth > 0;
  return errorRecord({
    code: findCode(thrown) ?? fallback ?? toKnownError(thrown).code,
    message: describeError(thrown),
    details: findDetails(thrown),
    suggestion: toKnownError(thrown).hint ?? null,
    stack: thrown instanceof Error ? (thrown.stack ?? null) : null,
    cause: hasCause ? toRecord(readable(thrown.cause), toCause(given), depth - 1) : null,
    ...known,
  });
}

/** An object without a prototype cannot become a text. */
function readable(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error) ? inspect(thrown) : thrown;
}

function toCause({ id, component, at, role = null }: Given): Given {
  return { id: `${id}.cause`, component, at, role };
}

/** The code of an error of llmc; else what the system's own code says. */
function findCode(thrown: unknown): ErrorCode | undefined {
  if (thrown instanceof LlmcError) return thrown.code;
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.name === 'AbortError') return 'CANCELLED';
  return 'code' in thrown && typeof thrown.code === 'string' ? BY_SYSTEM_CODE.get(thrown.code) : undefined;
}

const BY_SYSTEM_CODE: ReadonlyMap<string, ErrorCode> = new Map([
  ['ERR_SQLITE_ERROR', 'DATABASE_ERROR'],
  ['ENOENT', 'FILESYSTEM_ERROR'],
  ['EEXIST', 'FILESYSTEM_ERROR'],
  ['ENOTDIR', 'FILESYSTEM_ERROR'],
  ['EISDIR', 'FILESYSTEM_ERROR'],
  ['ENOTEMPTY', 'FILESYSTEM_ERROR'],
  ['ECONNREFUSED', 'NETWORK_ERROR'],
  ['ECONNRESET', 'NETWORK_ERROR'],
  ['ENOTFOUND', 'NETWORK_ERROR'],
  ['EAI_AGAIN', 'NETWORK_ERROR'],
  ['ETIMEDOUT', 'NETWORK_ERROR'],
  ['EHOSTUNREACH', 'NETWORK_ERROR'],
  ['ENETUNREACH', 'NETWORK_ERROR'],
]);

function findDetails(thrown: unknown): string | null {
  if (thrown instanceof LlmcError) return thrown.details ?? null;
  return thrown instanceof AggregateError ? thrown.errors.map(describeError).join('\n') : null;
}
