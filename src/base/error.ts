import { ERROR_CODES, type ErrorCategory, type ErrorCode, type ErrorSeverity } from './error-codes.ts';

export interface ErrorJson {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  readonly message: string;
  readonly hint?: string;
  readonly details?: string;
  readonly details_said?: true;
  readonly cause?: CauseJson;
}

/** The cause of an error: one of llmc, or any other with its name. */
export type CauseJson = ErrorJson | { readonly name: string; readonly message: string; readonly cause?: CauseJson };

interface Extra {
  /** What to type or do next. */
  readonly hint?: string | undefined;
  readonly details?: string | undefined;
  /** True if llmc already printed the details as progress, so that a terminal does not show them twice. */
  readonly detailsSaid?: boolean | undefined;
  readonly cause?: unknown;
}

/** An expected failure at the edge of the product: only `cli/main.ts` turns it into text and an exit status. */
export class LlmcError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: string | undefined;
  readonly detailsSaid: boolean;

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'LlmcError';
    this.code = code;
    this.hint = extra.hint;
    this.details = extra.details;
    this.detailsSaid = extra.detailsSaid ?? false;
  }

  get category(): ErrorCategory {
    return ERROR_CODES[this.code].category;
  }

  get severity(): ErrorSeverity {
    return ERROR_CODES[this.code].severity;
  }

  toJSON(): ErrorJson {
    return this.#json(MOST_CAUSES);
  }

  #json(depth: number): ErrorJson {
    const { code, category, severity, message, hint, details, detailsSaid } = this;
    const cause = depth === 0 ? undefined : LlmcError.#causeJson(this.cause, depth - 1);
    return {
      code,
      category,
      severity,
      message,
      ...(hint !== undefined && { hint }),
      ...(details !== undefined && { details }),
      ...(detailsSaid && { details_said: true }),
      ...(cause !== undefined && { cause }),
    };
  }

  static #causeJson(thrown: unknown, depth: number): CauseJson | undefined {
    if (thrown === undefined || thrown === null) return undefined;
    if (thrown instanceof LlmcError) return thrown.#json(depth);
    if (!(thrown instanceof Error)) return { name: 'Error', message: toText(thrown) };
    const cause = depth === 0 ? undefined : LlmcError.#causeJson(thrown.cause, depth - 1);
    return { name: thrown.name, message: thrown.message, ...(cause !== undefined && { cause }) };
  }

  /** Restores an error that came over the supervisor's socket. */
  static fromJSON(json: ErrorJson): LlmcError {
    return new LlmcError(json.code, json.message, {
      hint: json.hint,
      details: json.details,
      detailsSaid: json.details_said,
      cause: json.cause && toError(json.cause),
    });
  }
}

/** Deeper causes say nothing new, and an error can be its own cause. */
const MOST_CAUSES = 8;

function toError(json: CauseJson): Error {
  if ('code' in json) return LlmcError.fromJSON(json);
  const error = new Error(json.message, json.cause && { cause: toError(json.cause) });
  error.name = json.name;
  return error;
}

/** An object without a prototype cannot become a text. */
function toText(thrown: unknown): string {
  return typeof thrown === 'object' ? Object.prototype.toString.call(thrown) : String(thrown);
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong and, where the error knows it, the way out. */
export function failureLines(error: unknown): readonly string[] {
  return [describeError(error), ...(error instanceof LlmcError && error.hint !== undefined ? [error.hint] : [])];
}
