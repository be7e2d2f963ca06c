import { LlmcError } from '../../base/error.ts';
import { commandLine, shellWord } from '../../base/shell-quote.ts';
import { showsNothing } from '../../base/shows-nothing.ts';
import { nearest } from '../../config/nearest.ts';
import type { Escalation } from '../model/escalation.ts';
import type { Run } from '../model/run.ts';

export interface AnswerGiven {
  /** The number of the question; it can be left out if only one is open. */
  readonly number?: number | undefined;
  /** One of its options, as a word, as its number from 1, or as its first letter if no other option has the same. */
  readonly option: string;
  readonly text?: string | undefined;
}

export interface ChosenAnswer {
  readonly escalation: number;
  readonly option: string;
  readonly text: string | null;
}

export function openQuestions({ escalations }: Pick<Run, 'escalations'>): readonly Escalation[] {
  return escalations.filter(({ answer }) => answer === null);
}

/** The question and the option that a person means. */
export function chooseAnswer(run: Pick<Run, 'id' | 'escalations'>, { number, option, text }: AnswerGiven): ChosenAnswer {
  const question = requireQuestion(run, number);
  const chosen = findOption(question.options, option);
  if (chosen === undefined) throw notAnOption(run.id, question, option);
  if (chosen === 'answer' && showsNothing(text ?? ''))
    throw new LlmcError('INVALID_ARGUMENT', 'an answer needs its text', {
      hint: `llmc decide ${shellWord(run.id)} answer --text "…"`,
    });
  return { escalation: question.number, option: chosen, text: text ?? null };
}

/** The option that a person means by a word, a number from 1, or a first letter; undefined if that is none, or not clear. */
export function findOption(options: readonly string[], word: string): string | undefined {
  if (options.includes(word)) return word;
  const byLetter = /^[a-z]$/i.test(word) ? options.filter((each) => each.startsWith(word.toLowerCase())) : [];
  return options[parseNumber(word) - 1] ?? (byLetter.length === 1 ? byLetter[0] : undefined);
}

function requireQuestion(run: Pick<Run, 'id' | 'escalations'>, number: number | undefined): Escalation {
  const open = openQuestions(run);
  const hint = commandLine('llmc', 'decide', run.id);
  const [first] = open;
  if (number === undefined) {
    if (open.length === 1 && first !== undefined) return first;
    if (first === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `${run.id} asks nothing`, { hint: commandLine('llmc', 'show', run.id) });
    const numbers = open.map((each) => `${run.id}#${each.number}`).join(', ');
    throw new LlmcError('INVALID_ARGUMENT', `${run.id} asks ${open.length} questions; name one of ${numbers}`, { hint });
  }
  const found = run.escalations.find((each) => each.number === number);
  if (found === undefined) throw new LlmcError('INVALID_ARGUMENT', `${run.id} has no question #${number}`, { hint });
  if (found.answer !== null)
    throw new LlmcError('ILLEGAL_TRANSITION', `${run.id}#${number} is answered already: ${found.answer.option}`, { hint });
  return found;
}

function parseNumber(option: string): number {
  return /^[1-9]\d{0,3}$/.test(option) ? Number(option) : 0;
}

function notAnOption(run: string, { number, options }: Escalation, option: string): LlmcError {
  const close = nearest(option, options);
  const meant = close === undefined ? `expected ${options.join(', ')}` : `did you mean "${close}"?`;
  return new LlmcError('INVALID_ARGUMENT', `"${option}" does not answer ${run}#${number}; ${meant}`, {
    hint: commandLine('llmc', 'decide', run),
  });
}
