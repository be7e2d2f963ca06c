import type { AgentErrorType } from '../activity.ts';

/** The text of a CLI's error. Recoverable: the same prompt may succeed later without a person's help. */
export interface ErrorText {
  readonly pattern: RegExp;
  readonly type: AgentErrorType;
  readonly recoverable: boolean;
}

export const errorText = (pattern: RegExp, type: AgentErrorType, recoverable: boolean): ErrorText => ({ pattern, type, recoverable });
