import { visibleLine } from '../../../base/visible-text.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';
import { skipTarget } from '../text/pause-text.ts';

/** What a person can choose for a paused run. */
export type ResumeChoice =
  | { readonly kind: 'go_on' }
  | { readonly kind: 'restart'; readonly address: string }
  | { readonly kind: 'skip_to'; readonly stage: string }
  | { readonly kind: 'artifacts' }
  | { readonly kind: 'leave' };

/** More would push the summary off the screen; --restart takes any of them. */
const MOST_RESTARTS = 5;

/** The first one is the default. */
export function resumeChoices({ pause }: Pick<RunView, 'pause'>): readonly ResumeChoice[] {
  const stage = pause === null ? undefined : skipTarget(pause);
  return [
    { kind: 'go_on' },
    ...(pause?.partial ?? []).slice(0, MOST_RESTARTS).map((address): ResumeChoice => ({ kind: 'restart', address })),
    ...(stage === undefined ? [] : [{ kind: 'skip_to', stage } as const]),
    { kind: 'artifacts' },
    { kind: 'leave' },
  ];
}

export function menuLines(choices: readonly ResumeChoice[]): readonly string[] {
  return choices.map((choice, index) => visibleLine(`    ${index + 1}  ${choiceText(choice)}`));
}

/** Undefined: the answer is not one of the numbers. */
export function chosen(choices: readonly ResumeChoice[], answer: string): ResumeChoice | undefined {
  const word = answer.trim();
  return word === '' ? choices[0] : /^\d{1,3}$/.test(word) ? choices[Number(word) - 1] : undefined;
}

function choiceText(choice: ResumeChoice): string {
  switch (choice.kind) {
    case 'go_on':
      return 'go on where it was (Enter)';
    case 'restart':
      return `go on, with ${choice.address} from its beginning`;
    case 'skip_to':
      return `skip to ${choice.stage} with what is complete; not recommended: the results may have gaps`;
    case 'artifacts':
      return 'list the files';
    case 'leave':
      return 'leave it paused';
  }
}
