import { LlmcError } from '../../base/error.ts';
import type { ResultOf } from '../../supervisor/api/operations.ts';
import type { ReviewView } from '../../workflow/view/run-view.ts';
import type { Display, Shell } from '../shell.ts';
import { type ShownQuestion, withApprovedWork, workLines } from './approved-work.ts';
import { readRunLines, readRunView } from './read-runs.ts';
import { landingReviewLines, questionLines } from './text/question-lines.ts';
import { notYetTaken } from './text/taken-text.ts';

export type DecideOutput =
  /** `whole`: of one run, so that nothing is folded. */
  | {
      readonly kind: 'listed';
      readonly whole: boolean;
      readonly questions: readonly ShownQuestion[];
      readonly reviews: readonly ReviewView[];
    }
  | { readonly kind: 'decided'; readonly decided: ResultOf<'decide'> };

export interface DecideRequest {
  /** `swarm-1` or `swarm-1#2`. */
  readonly word: string | undefined;
  readonly option: string | undefined;
  readonly text: string | undefined;
}

export async function decideOrList(shell: Shell, { word, option, text }: DecideRequest): Promise<DecideOutput> {
  const named = word === undefined ? undefined : parseName(word);
  if (named !== undefined && option !== undefined)
    return { kind: 'decided', decided: await shell.call('decide', { ...named, option, ...(text !== undefined && { text }) }) };
  if (text !== undefined) throw new LlmcError('INVALID_ARGUMENT', '--text needs a run and an option', { hint: 'llmc decide' });
  const ids =
    named === undefined ? (await readRunLines(shell)).filter(({ ended_ms }) => ended_ms === null).map(({ id }) => id) : [named.run];
  const views = await Promise.all(ids.map(async (id) => await readRunView(shell, id)));
  const questions = views.flatMap((view) => view.questions.filter(({ number }) => named?.number === undefined || number === named.number));
  return {
    kind: 'listed',
    whole: named !== undefined,
    // The diffs of all runs would be a list that nobody reads.
    questions: named === undefined ? questions.map((question) => ({ ...question, work: null })) : await withApprovedWork(shell, questions),
    reviews: named?.number === undefined ? views.flatMap(({ reviews }) => reviews) : [],
  };
}

function parseName(word: string): { readonly run: string; readonly number?: number } {
  const [, run = '', number] = /^(.*?)(?:#(\d{1,9}))?$/.exec(word) ?? [];
  return number === undefined ? { run } : { run, number: Number(number) };
}

export function decideText(output: DecideOutput, now: number, display: Display): string {
  if (output.kind === 'decided') {
    const { run, number, option, taken } = output.decided;
    return display.atRoot(`${run}#${number}: ${option}.${taken ? ` llmc show ${run}` : ` ${notYetTaken('The answer')}`}`);
  }
  const { questions, reviews, whole } = output;
  if (questions.length + reviews.length === 0) return 'Nothing waits for you.';
  return [
    ...questions.flatMap((question) => [...questionLines(question, now, { ...display, whole }), ...workLines(question, display.color)]),
    ...reviews.flatMap((review) => landingReviewLines(review, display)),
  ].join('\n');
}
