import type { AgentErrorType } from '../activity.ts';

/** The text of a CLI's error. Recoverable: the same prompt may succeed later without a person's help. */
export interface ErrorText {
  readonly pattern: RegExp;
  readonly type: AgentErrorType;
  readonly recoverable: boolean;
  /** The CLI does not know the conversation that it was asked to resume. */
  readonly refusesResume?: true;
}

export const errorText = (pattern: RegExp, type: AgentErrorType, recoverable: boolean): ErrorText => ({ pattern, type, recoverable });

export const resumeRefusal = (pattern: RegExp): ErrorText => ({ ...errorText(pattern, 'invalid_request', true), refusesResume: true });

/** The first text that a line begins, alone or joined with the rows after it: a terminal wraps it in the middle of words. */
export function matchingText(shown: readonly string[], texts: readonly ErrorText[], rows: number): ErrorText | undefined {
  for (const [index, line] of shown.entries()) {
    const block = shown.slice(index, index + rows).join('');
    const found = texts.find(({ pattern }) => pattern.test(line) || pattern.test(block));
    if (found !== undefined) return found;
  }
  return undefined;
}
