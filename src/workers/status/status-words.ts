import type { Attention } from '../../store/attention.ts';
import type { Status } from '../../store/statuses.ts';

/** The statuses as a person reads them in a column. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  idle: 'idle',
  working: 'working',
  needs_input: 'needs you',
  needs_review: 'has work to review',
  rejected: 'revising',
  rebasing: 'rebasing',
  error: 'failed',
  offline: 'offline',
};

/** `is working`, `has work to review`: what follows the worker's name in a sentence. */
export function describeStatus(status: Status): string {
  if (status === 'error') return 'has failed';
  const isVerb = status === 'needs_input' || status === 'needs_review';
  return isVerb ? STATUS_WORDS[status] : `is ${STATUS_WORDS[status]}`;
}

/** The same for a worker that needs a person: an answer is not work. */
export function predicateFor({ status, attention_kind: kind }: { status: Status; attention_kind: Attention['kind'] | null }): string {
  return kind === 'answer' && status === 'needs_review' ? 'has an answer' : describeStatus(status);
}
