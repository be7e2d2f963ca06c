/**
 * What a person can choose, by the type of a question of a run; the first is recommended, unless it leaves out what later stages need.
 * `answers` in `[workflow]` names one of them.
 */
export const QUESTION_OPTIONS = {
  approval: ['approve', 'reject', 'abort'],
  blocked: ['answer', 'skip', 'abort'],
  timeout: ['extend', 'restart', 'skip', 'abort'],
  crash: ['restart', 'fallback', 'skip', 'abort'],
  invalid_output: ['restart', 'skip', 'abort'],
  unavailable: ['skip', 'restart', 'abort'],
  resource: ['wait', 'abort'],
  unmet: ['restart', 'accept', 'skip', 'abort'],
  failed: ['restart', 'skip', 'abort'],
  circuit_breaker: ['extend', 'skip', 'manual', 'abort'],
  compensation: ['rollback', 'keep', 'abort'],
  quality_floor: ['restart', 'accept', 'abort'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type QuestionType = keyof typeof QUESTION_OPTIONS;
export type QuestionOption = (typeof QUESTION_OPTIONS)[QuestionType][number];

/** Where the budget of the day is spent, to wait does not help before tomorrow. */
export const BUDGET_OPTIONS: readonly QuestionOption[] = ['restart', 'skip', 'abort'];

/** Only the items of a review can be left to a person while the breaker of their stage is open. */
export function breakerOptions(isReview: boolean): readonly QuestionOption[] {
  return QUESTION_OPTIONS.circuit_breaker.filter((option) => isReview || option !== 'manual');
}

/** The types whose questions may answer themselves. */
export const ANSWERABLE = [
  'timeout',
  'circuit_breaker',
  'invalid_output',
  'unavailable',
  'resource',
  'unmet',
  'failed',
] as const satisfies readonly QuestionType[];

/** Why a table for another type would have no effect. */
export function whyNeverAnswered(type: string): string | undefined {
  if (type === 'limit') return 'no question has this type: a review with remarks after its last round asks as "unmet"';
  return Object.hasOwn(QUESTION_OPTIONS, type) && !ANSWERABLE.some((each) => each === type)
    ? 'questions of this type always wait for a person'
    : undefined;
}

/** Every answer that a question of the type may offer. After the last round of a review, another round is one. */
export function answersFor(type: QuestionType): readonly QuestionOption[] {
  if (type === 'resource') return [...new Set([...QUESTION_OPTIONS.resource, ...BUDGET_OPTIONS])];
  return type === 'unmet' ? ['extend', ...QUESTION_OPTIONS.unmet] : QUESTION_OPTIONS[type];
}
