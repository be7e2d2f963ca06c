import { clockTime, pastTime } from '../../../base/clock-time.ts';
import { formatSpan } from '../../../base/duration.ts';
import { cutToWidth, wrapWithIndent } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { archivedCommits } from '../../../workflow/model/compensation.ts';
import type { ReportedError, ReportedQuestion, ReportedRetry, RunReport } from '../../../workflow/view/report-view.ts';
import type { Display } from '../../shell.ts';
import { describeSpan, endReason, statusWords } from './runs-text.ts';

const LONGEST_DETAILS = 2_000;

/** What went wrong in a run and what was done about it; `verbose` adds details, causes and places. */
export function reportRunText(report: RunReport, verbose: boolean, { columns, atRoot }: Display): string {
  const now = report.generated_ms;
  const wrapped = (line: string, indent = 4) => wrapWithIndent(atRoot(cutToWidth(visibleLine(line), LONGEST_DETAILS)), columns, indent);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.flatMap((line) => wrapped(`  ${line}`))];
  return [
    ...wrapped(`${report.run} (${report.workflow}): ${statusWords(report)}, ${describeSpan(report, now)}; ${report.summary}.`, 2),
    ...endLines(report).flatMap((line) => wrapped(line, 2)),
    ...(report.degradation_level === 'full' && report.losses.length === 0 ? report.warnings : report.degradation).flatMap((line) =>
      wrapped(`! ${line}`, 2),
    ),
    ...section(
      'Results',
      report.results.flatMap((result) => [resultLine(result), ...result.remarks.map((remark) => `  remark: ${remark}`)]),
    ),
    ...section(
      'Failures',
      report.errors.flatMap((error) => errorLines(error, now, verbose)),
    ),
    ...section(
      'Recoveries',
      report.recoveries.map(
        ({ code, where, strategy, outcome, at_ms }) => `${pastTime(at_ms, now)}  ${code} (${where}): ${strategy}, ${outcome}`,
      ),
    ),
    ...section(
      'Questions',
      report.questions.flatMap((question) => questionLines(question, now)),
    ),
    ...section(
      'Retries',
      report.retries.map((retry) => retryLine(retry, now)),
    ),
    ...section(
      'Undone',
      report.compensations.flatMap(({ at, number, stage, items = [stage], action, reason, archived, landings }) => [
        `${pastTime(at, now)}  ${items.join(', ')}: ${action}, ${reason}; kept in ${archived} and ${archivedCommits(report.run, number)}`,
        ...landings.map((landing) => `  ${landingText(landing)}`),
      ]),
    ),
    ...section('Suggestions', report.suggestions),
    ...(verbose || report.results.some(({ artifacts }) => artifacts.length > 0) ? section('Files', listFiles(report, verbose)) : []),
  ].join('\n');
}

/** The losses of a run say what is missing, and not why it ended. */
function endLines(report: RunReport): readonly string[] {
  const reason = endReason(report);
  return reason === null ? [] : [`! ${reason}`];
}

/** A question and what became of it; `llmc decide` prints an open one with its options. */
function questionLines({ number, type, stage, text, asked_ms, answer, ...question }: ReportedQuestion, now: number): readonly string[] {
  const where = stage === null ? '' : `, ${stage}`;
  const asked = `${pastTime(asked_ms, now)}  #${number} (${type.replaceAll('_', ' ')}${where}): ${text.trim().split('\n', 1)[0]}`;
  const byItself = question.by_itself_ms === null ? '' : `, ${question.default} by itself at ${clockTime(question.by_itself_ms, now)}`;
  if (answer === null) return [asked, `  open${byItself}`];
  const said = answer.text === null ? '' : `: ${answer.text}`;
  // A person answered in the agent's own terminal.
  const by = answer.by === 'run' && answer.option === 'answered' ? 'in the terminal of its agent' : ANSWERED_BY[answer.by];
  return [asked, `  ${pastTime(answer.at_ms, now)}  ${answer.option} (${by})${said}`];
}

const ANSWERED_BY: Readonly<Record<NonNullable<ReportedQuestion['answer']>['by'], string>> = {
  person: 'a person',
  default: 'by itself: nobody answered in time',
  run: 'it needed no answer any more',
};

function retryLine({ operation, stage, attempt, at_ms, delay_ms, code, message, outcome }: ReportedRetry, now: number): string {
  const where = stage === null ? '' : ` (${stage})`;
  const then = delay_ms === null ? 'not tried again' : `tried again after ${formatSpan(delay_ms)}`;
  return `${pastTime(at_ms, now)}  ${operation}${where}, attempt ${attempt}: ${code}: ${message}; ${then}, ${outcome ?? 'under way'}`;
}

function landingText({ step, commit, state, revert }: RunReport['compensations'][number]['landings'][number]): string {
  const what = commit === null ? `${step}: its offer for review` : `${step}: ${commit.slice(0, 10)}`;
  if (state === 'kept') return `${what} stays on main`;
  if (state === 'pending') return `${what} is still to be taken back`;
  if (revert !== null) return `${what} was taken back by ${revert.slice(0, 10)}`;
  return commit === null ? `${what} was withdrawn` : `${what} was already taken back`;
}

function resultLine({ stage, state, why, marks, commit, artifacts, partial }: RunReport['results'][number]): string {
  const unfinished = partial.length === 0 ? [] : [`not finished: ${partial.join(', ')}`];
  const left = [...(commit === null ? [] : [`commit ${commit.slice(0, 10)}`]), ...artifacts, ...unfinished];
  return [
    `${stage}: ${[state, ...marks].join(', ')}`,
    ...(why === null ? [] : [why]),
    ...(left.length === 0 ? [] : [left.join(', ')]),
  ].join('; ');
}

function errorLines(error: ReportedError, now: number, verbose: boolean): readonly string[] {
  const { code, text, details, where, role, at_ms, recovered, duration_ms, retries, severity, causes } = error;
  const by = role === null ? where : `${where}, ${role}`;
  const line = `${pastTime(at_ms, now)}  ${code} (${by}): ${text}${recovered ? ' (recovered)' : ''}`;
  const reason = details?.trim().split('\n').at(-1) ?? '';
  if (!verbose) return reason === '' || text.includes(reason) ? [line] : [line, `  ${reason}`];
  const ran = duration_ms === null ? [] : [`after ${formatSpan(duration_ms)}`];
  return [
    line,
    `  ${[severity, `failure ${retries + 1} of its kind`, ...ran].join(', ')}`,
    ...(details === null ? [] : [`  ${details}`]),
    ...causes.map((cause) => `  caused by ${cause}`),
  ];
}

function listFiles({ debug: { checkpoint, log, folder, state } }: RunReport, verbose: boolean): readonly string[] {
  if (!verbose) return [folder];
  return [
    ...(checkpoint === null ? [] : [`last checkpoint: ${checkpoint}`]),
    `folder of the run: ${folder}`,
    `state of the run: ${state}`,
    `log of the run: ${log}`,
  ];
}
