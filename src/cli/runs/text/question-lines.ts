import { formatSpan } from '../../../base/duration.ts';
import { commandLine, shellWord } from '../../../base/shell-quote.ts';
import { cutToWidth, measureWidth, wrapWithIndent } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { findOption } from '../../../workflow/control/choose-answer.ts';
import type { QuestionView, ReviewView } from '../../../workflow/view/run-view.ts';
import type { Display } from '../../shell.ts';

/** The question of an agent, or the prompt of a workflow file, may fill pages. */
const LONGEST_TEXT = 600;
const MOST_LINES = 12;

/** `whole`: nothing is folded. */
export interface QuestionPlace extends Pick<Display, 'columns' | 'atRoot'> {
  readonly whole?: boolean;
}

/** A question with its options, and what to type. A long text is folded, with the command that shows all of it. */
export function questionLines(question: QuestionView, now: number, { columns, atRoot, whole = false }: QuestionPlace): readonly string[] {
  const { run, number, type, stage, text, see, options, recommended, terminal } = question;
  const wrapped = (line: string, indent: number) => wrapWithIndent(atRoot(visibleLine(line)), columns, indent);
  const where = stage === null ? '' : `, ${stage}`;
  const offered = options.map((option, index) => `${describeOption(option, index, question)}${remarkOn(option, question, now)}`);
  const decision = `llmc decide ${run}#${number} ${shellWord(recommended)}`;
  const answer = recommended === 'answer' ? `${decision} --text "…"` : decision;
  // Nothing that is typed here reaches it.
  const command = terminal === null ? answer : commandLine('llmc', 'attach', terminal);
  const all = `llmc decide ${run}#${number}`;
  const fold = (lines: readonly string[]) => (whole ? { lines, left: 0 } : foldedLines(lines));
  // The bar tells what an agent, a program or the workflow file wrote from what llmc says.
  const barred = (lines: readonly string[]) => lines.flatMap((line) => wrapWithIndent(`    | ${line}`, columns, 6));
  const more = (left: number) => (left === 0 ? [] : wrapped(`    … ${left} more ${left === 1 ? 'line' : 'lines'}: ${all}`, 6));
  const asked = fold(toLines(text));
  const prompt = fold(toLines(question.prompt ?? ''));
  const [first = '', ...quoted] = asked.lines;
  return [
    ...wrapped(`! ${run}#${number} (${type.replace('_', ' ')}${where}): ${first}`, 4),
    ...attemptLines(question).flatMap((line) => wrapped(`    ${line}`, 6)),
    ...barred(quoted),
    ...more(asked.left),
    ...(prompt.lines.length === 0 ? [] : wrapped('    prompt of the review:', 6)),
    ...barred(prompt.lines),
    ...more(prompt.left),
    ...see.flatMap((place) => wrapped(`    see: ${place}`, 6)),
    ...wrapped(`    ${offered.join('  ')}`, 4),
    ...wrapped(`    ${command}`, 4),
  ];
}

/** What each agent came to, and how far the last one was. */
function attemptLines({ attempts, progress }: QuestionView): readonly string[] {
  const done = progress === null ? [] : [`progress: ${progress.done}/${progress.total}${progress.note === '' ? '' : `, ${progress.note}`}`];
  return [
    ...attempts.map(({ agent, attempts: tries, why }) =>
      tries === 0 ? `${agent} is left out: ${why}` : `${agent} failed after ${tries} ${tries === 1 ? 'attempt' : 'attempts'}: ${why}`,
    ),
    ...done,
  ];
}

/** The key that the line of options names, for an answer on the terminal of `llmc run`. */
export function chooseKey(option: string, index: number, { type, options }: Pick<QuestionView, 'type' | 'options'>): string {
  const letter = option.slice(0, 1);
  const isOnly = options.filter((each) => each.startsWith(letter)).length === 1;
  return type === 'crash' && isOnly ? letter : String(index + 1);
}

/**
 * The option of each key that answers: its number, and its first letter if no other option begins with it, as for `llmc decide`. One key
 * is for leaving.
 */
export function answerKeys(options: readonly string[], leave: string): ReadonlyMap<string, string> {
  const numbers = options.map((option, index): [string, string] => [String(index + 1), option]);
  const letters = options.map((option): [string, string] => [option.slice(0, 1), option]);
  return new Map([...letters.filter(([letter, option]) => letter !== leave && findOption(options, letter) === option), ...numbers]);
}

/** `[R]estart`, or `1 approve`. */
function describeOption(option: string, index: number, question: QuestionView): string {
  const key = chooseKey(option, index, question);
  return option.startsWith(key) ? `[${key.toUpperCase()}]${option.slice(1)}` : `${key} ${option}`;
}

/** Which option is recommended, and which one is taken when nobody answers. */
function remarkOn(option: string, { recommended, default: byItself, by_itself_ms }: QuestionView, now: number): string {
  const remarks = [
    ...(option === recommended ? ['recommended'] : []),
    ...(option === byItself && by_itself_ms !== null ? [`by itself in ${formatSpan(Math.max(0, by_itself_ms - now))}`] : []),
  ];
  return remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
}

function toLines(text: string): readonly string[] {
  return text
    .trim()
    .split(/\r?\n/)
    .map(visibleLine)
    .filter((line) => line.trim() !== '');
}

/** The first lines, and how many are left out, the one counted that is cut in its middle. */
function foldedLines(lines: readonly string[]): { readonly lines: readonly string[]; readonly left: number } {
  const shown: string[] = [];
  let room = LONGEST_TEXT;
  for (const line of lines) {
    if (shown.length === MOST_LINES || room <= 0) break;
    shown.push(cutToWidth(line, room));
    room -= measureWidth(line);
  }
  const isCut = room < 0;
  return { lines: shown, left: lines.length - shown.length + (isCut ? 1 : 0) };
}

/** A landing that waits for the person who reviews it. */
export function landingReviewLines(
  { run, stage, worker }: ReviewView,
  { columns, atRoot }: Pick<Display, 'columns' | 'atRoot'>,
): readonly string[] {
  const wrapped = (line: string) => wrapWithIndent(atRoot(visibleLine(line)), columns, 4);
  return [
    ...wrapped(`! ${run} (${stage}): the work of ${worker} waits for your review`),
    ...wrapped(`    llmc review ${worker}`),
    ...wrapped(`    llmc accept ${worker}`),
    ...wrapped(`    llmc reject --worker ${worker} "…"`),
  ];
}
