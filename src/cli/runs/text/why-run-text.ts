import { pastTime } from '../../../base/clock-time.ts';
import { sentence } from '../../../base/sentence.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { cutToWidth, wrapWithIndent } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { breakerText } from '../../../workflow/view/breaker-view.ts';
import type { QuestionView } from '../../../workflow/view/run-view.ts';
import type { Decided } from '../../../workflow/view/why-view.ts';
import type { Display } from '../../shell.ts';
import type { ExplainedRun } from '../read-why-run.ts';
import { lossLines } from './loss-lines.ts';
import { landingReviewLines, questionLines } from './question-lines.ts';
import { describeSpan, endReason, statusWords } from './runs-text.ts';
import { STANDS_STILL } from './taken-text.ts';

const LONGEST_TEXT = 600;
const MOST_TASK_LINES = 5;

/** What a run waits for, which decisions led there, and what to type. */
export function whyRunText(why: ExplainedRun, now: number, display: Display, stands = false): string {
  const { columns, atRoot } = display;
  const wrapped = (line: string, indent: number) => wrapWithIndent(atRoot(cutToWidth(visibleLine(line), LONGEST_TEXT)), columns, indent);
  const waits = why.waits.flatMap(({ kind, text, decisions, failure }) => [
    // The question itself stands above, with its options.
    ...wrapped(sentence(kind === 'person' ? (text.split('\n', 1)[0] ?? '') : text), 2),
    ...decisions.flatMap((decided) => wrapped(`  ${decidedText(decided, now)}`, 4)),
    ...(failure?.details && kind !== 'person' ? wrapped(`  ${failure.code}: ${failure.details}`, 4) : []),
  ]);
  const reason = endReason(why);
  const next = [`  ${commandLine('llmc', 'report', why.id)}`, `  ${commandLine('llmc', 'recover', why.id, '--dry-run')}`];
  const ended = reason === null ? [] : [reason, ...next].flatMap((line) => wrapped(line, 2));
  return [
    ...wrapped(`${why.id} (${why.workflow}): ${statusWords(why)}, ${describeSpan(why, now)}.`, 2),
    ...(stands ? wrapped(`! ${STANDS_STILL}`, 2) : []),
    ...why.problems.flatMap((problem) => wrapped(`! ${problem}`, 2)),
    ...ended,
    ...why.questions.flatMap((question) => [...questionLines(question, now, display), ...taskLines(question, wrapped)]),
    ...why.reviews.flatMap((review) => landingReviewLines(review, display)),
    ...waits,
    ...why.breakers.flatMap((breaker) => wrapped(`! ${breakerText(breaker, now)}`, 2)),
    ...why.warnings.flatMap((warning) => wrapped(`! ${warning}`, 2)),
    ...lossLines(why).flatMap((line) => wrapped(line, 2)),
    ...(why.history.length === 0 ? [] : ['', 'Latest decisions']),
    ...why.history.flatMap((decided) => wrapped(`  ${decidedText(decided, now, true)}`, 4)),
  ].join('\n');
}

/** What its agent was asked to do: a person decides by it. */
function taskLines({ task }: QuestionView, wrapped: (line: string, indent: number) => readonly string[]): readonly string[] {
  const lines = (task ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = lines.length > MOST_TASK_LINES ? [...lines.slice(0, MOST_TASK_LINES), '…'] : lines;
  return shown.flatMap((line, index) => wrapped(index === 0 ? `    task: ${line}` : `      ${line}`, 6));
}

function decidedText({ at_ms, stage, text }: Decided, now: number, withStage = false): string {
  const time = `${pastTime(at_ms, now)}:${String(new Date(at_ms).getSeconds()).padStart(2, '0')}`;
  return `${time}  ${withStage && stage !== null ? `${stage}: ` : ''}${text}`;
}
