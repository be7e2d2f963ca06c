import { ERROR_CODES, type ErrorCategory, type ErrorCode, type ErrorSeverity } from './error-codes.ts';

export interface ErrorJson {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly severity: ErrorSeverity;
  readonly message: string;
  readonly hint?: string;
  readonly details?: string;
  readonly details_said?: true;
}

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
    const { code, category, severity, message, hint, details, detailsSaid } = this;
    return {
      ...{ code, category, severity, message },
      ...(hint !== undefined && { hint }),
      ...(details !== undefined && { details }),
      ...(detailsSaid && { details_said: true }),
    };
  }

  /** Restores an error that came over the supervisor's socket. */
  static fromJSON(json: ErrorJson): LlmcError {
    return new LlmcError(json.code, json.message, { hint: json.hint, details: json.details, detailsSaid: json.details_said });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong and, where the error knows it, the way out. */
export function failureLines(error: unknown): readonly string[] {
  return [messageOf(error), ...(error instanceof LlmcError && error.hint !== undefined ? [error.hint] : [])];
}
