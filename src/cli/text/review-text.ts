import pc from 'picocolors';
import { formatAge } from '../../base/duration.ts';
import { markLookAlikes } from '../../base/look-alike.ts';
import { sentence } from '../../base/sentence.ts';
import { cutToWidth, wrapWithIndent } from '../../base/text-width.ts';
import { inOneLine, visibleLine, visibleText } from '../../base/visible-text.ts';
import { verdictOf } from '../../proof/verdict.ts';
import type { PredictedConflict, ReviewedValidation, ReviewResult } from '../../workers/review/review-result.ts';
import type { Display } from '../shell.ts';
import { diffForPeople } from './diff-text.ts';
import { formattedLine } from './formatted-line.ts';
import { proofLines } from './proof-text.ts';
import { warningLines } from './warning-text.ts';

/** Longer lines are not read in a head. Where stdout is not a terminal, its width is not known. */
const WIDEST = 160;
const SUMMARY_LINES = 3;

/**
 * The worker and the subject, then what needs the person: an obstacle, the proof of a resolved conflict, what the work would conflict
 * with, warnings. Then the task, the agent's own summary and the size of the change. The diff follows.
 */
export function reviewHead(result: ReviewResult, { color, atRoot, columns }: Display): string {
  const { yellow } = pc.createColors(color);
  const { rescue: rescued } = result;
  const subject = result.commits.length === 0 ? 'no change' : markLookAlikes(visibleLine(result.message.split('\n')[0] ?? ''));
  return [
    `${result.worker}: ${subject} (${result.head.slice(0, 12)} on ${result.base.slice(0, 12)})`,
    ...(result.attention !== null && isObstacle(result) && !isFailedValidation(result) ? [atRoot(`! ${sentence(result.attention)}`)] : []),
    ...(result.uncommitted.length === 0 ? [] : [visibleLine(`Not committed: ${result.uncommitted.join(', ')}`)]),
    ...(isOnMain(result) ? [atRoot(`Nothing to land: this work changes nothing on main. Settle it: llmc accept ${result.worker}`)] : []),
    ...(result.proof === null ? [] : proofLines(result.worker, result.proof).map(atRoot)),
    ...(rescued === null ? [] : [atRoot(`The work from before the conflict: llmc rescue show ${rescued}`)]),
    ...(result.validation?.passed === false ? [yellow(failedLine(result.validation, isFailedValidation(result)))] : []),
    ...conflictLines(result).map((line) => yellow(line)),
    ...warningLines(result.warnings).map((line) => yellow(atRoot(line))),
    ...aboutLines(result, Math.min(columns, WIDEST)),
  ].join('\n');
}

/** The author, the message, the files and the diff. The message is indented, so that it cannot pass for the list of files or a diff. */
export function reviewBody({ author, message, commits, stat, diff }: ReviewResult, color: boolean): string {
  if (commits.length === 0) return '';
  const indented = markLookAlikes(visibleText(message)).replace(/^(?=.)/gm, '    ');
  const listed =
    commits.length < 2 ? [] : commits.map(({ commit, subject }) => `${commit.slice(0, 12)} ${markLookAlikes(visibleLine(subject))}`);
  return [
    markLookAlikes(visibleLine(`Author: ${author}`)),
    ...(listed.length === 0 ? [] : [`Commits that become one:`, ...listed.map((line) => `    ${line}`)]),
    '',
    indented,
    '',
    `${visibleText(stat)}\n${diffForPeople(diff, color)}`,
  ].join('\n');
}

function isOnMain({ files, uncommitted, proof }: ReviewResult): boolean {
  return files.length === 0 && uncommitted.length === 0 && (proof === null || verdictOf(proof) === 'clean');
}

/** Omits the request to review, because the reader is already reviewing. */
function isObstacle({ attention_kind: kind }: ReviewResult): boolean {
  return kind !== 'review' && kind !== 'review_without_agent' && kind !== 'resolved';
}

function conflictLines({ conflicts, not_compared: unknown, attention_kind: kind }: ReviewResult): readonly string[] {
  // An obstacle names the conflict with main already.
  const isSaid = kind === 'conflict' || kind === 'conflict_given_up';
  return [
    ...conflicts.filter((conflict) => conflict.kind === 'worker' || !isSaid).map(conflictLine),
    ...(unknown.length === 0 ? [] : [`! Not compared with the work of ${unknown.join(', ')}.`]),
  ];
}

function conflictLine({ with: other, kind, files }: PredictedConflict): string {
  const where = markLookAlikes(visibleLine(files.slice(0, 5).join(', '))) + (files.length > 5 ? ` and ${files.length - 5} more` : '');
  return kind === 'main'
    ? `! It conflicts with ${other} in ${where}.`
    : `! It will conflict with ${other} in ${where}: the one that lands second has to resolve that.`;
}

/** The summary is an agent's text: indented, so that it cannot pass for a line of llmc. */
function aboutLines(result: ReviewResult, columns: number): readonly string[] {
  const { task, summary, commits, files, formatted } = result;
  const [added, removed] = [sum(files.map((file) => file.added)), sum(files.map((file) => file.removed))];
  return [
    ...(task === null ? [] : [cutToWidth(`Task: ${markLookAlikes(visibleLine(inOneLine(task)))}`, columns)]),
    ...(summary === null ? [] : summaryLines(summary, columns)),
    ...(formatted === null ? [] : [formattedLine(formatted)]),
    `${counted(commits.length, 'commit')}, ${counted(files.length, 'file')}, +${added} -${removed}${validationWords(result)}`,
  ];
}

/** Work whose validation failed does not get further in an accept, so one line says both. */
function isFailedValidation({ attention_kind: kind, validation }: ReviewResult): boolean {
  return kind === 'not_landed' && validation?.passed === false;
}

function failedLine({ failed_line, reason, log }: ReviewedValidation, isLanding: boolean): string {
  return `! ${isLanding ? 'Not landed: the validation' : 'Validation'} failed for these files: ${markLookAlikes(visibleLine(`${failed_line ?? ''}: ${reason ?? ''}`))}. Its output: ${visibleLine(log)}`;
}

function validationWords({ validation, validation_commands: commands }: ReviewResult): string {
  if (commands === 0) return '';
  if (validation === null) return ', not validated yet';
  return validation.passed ? `, validated (${formatAge(validation.took_ms)})` : ', validation failed';
}

function summaryLines(summary: string, columns: number): readonly string[] {
  const text = markLookAlikes(visibleLine(inOneLine(summary)));
  const lines = wrapWithIndent(`Summary: ${text}`, columns, 2).map((line) => cutToWidth(line, columns));
  const shown = lines.slice(0, SUMMARY_LINES);
  return lines.length === shown.length ? shown : [...shown.slice(0, -1), cutToWidth(`${shown.at(-1)} …`, columns)];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
