import { formatAge } from '../../../base/duration.ts';
import { markLookAlikes } from '../../../base/look-alike.ts';
import { sentence } from '../../../base/sentence.ts';
import { cutToWidth, wrapWithIndent } from '../../../base/text-width.ts';
import { inOneLine, visibleLine } from '../../../base/visible-text.ts';
import { judgeProof, type ProofVerdict } from '../../../proof/verdict.ts';
import { chosenPlaceText, runPlaceText } from '../../branch/chosen-place-text.ts';
import type { PredictedConflict, ReviewedValidation, ReviewResult } from '../review-result.ts';
import { formattedLine } from './formatted-line.ts';
import { proofLines } from './proof-text.ts';
import { warningLines } from './warning-text.ts';

/** What the head of a review speaks about. */
export type HeadOfReview = Pick<
  ReviewResult,
  | 'worker'
  | 'attention'
  | 'attention_kind'
  | 'uncommitted'
  | 'proof'
  | 'rescue'
  | 'validation'
  | 'validation_commands'
  | 'conflicts'
  | 'not_compared'
  | 'warnings'
  | 'task'
  | 'summary'
  | 'commits'
  | 'files'
  | 'formatted'
  | 'chosen_place'
  | 'run_branch'
  | 'message'
  | 'message_edit'
>;

export interface ReviewLine {
  readonly text: string;
  /** What keeps an accept from landing the work, what a reviewer should know, and the rest. */
  readonly weight: 'blocks' | 'warns' | 'tells';
  /** The command line paints it. */
  readonly isCaution: boolean;
  /** It names commands of llmc. Lines with texts of an agent do not count. */
  readonly hasCommands: boolean;
}

const SUMMARY_LINES = 3;

const PROOF_WEIGHTS: Readonly<Record<ProofVerdict, ReviewLine['weight']>> = {
  clean: 'tells',
  altered: 'warns',
  losses: 'blocks',
  hard_stop: 'blocks',
};

/**
 * What needs the person first: an obstacle, the proof of a resolved conflict, what the work would conflict with, warnings. Then the task,
 * the agent's own summary and the size of the change.
 */
export function reviewLines(result: HeadOfReview, columns: number, summaryLines = SUMMARY_LINES): readonly ReviewLine[] {
  const { worker, attention, proof, rescue: rescued, validation, uncommitted, chosen_place: place, run_branch: ofRun } = result;
  const proofWeight = proof === null ? 'tells' : PROOF_WEIGHTS[judgeProof(proof)];
  const line = (weight: ReviewLine['weight'], text: string, { isCaution = false, hasCommands = false } = {}) => ({
    text,
    weight,
    isCaution,
    hasCommands,
  });
  return [
    ...(attention !== null && isObstacle(result) && !isFailedValidation(result)
      ? [line('blocks', `! ${sentence(attention)}`, { hasCommands: true })]
      : []),
    ...(uncommitted.length === 0 ? [] : [line('blocks', visibleLine(`Not committed: ${uncommitted.join(', ')}`))]),
    ...(isOnMain(result)
      ? [line('warns', `Nothing to land: this work changes nothing on main. Settle it: llmc accept ${worker}`, { hasCommands: true })]
      : []),
    ...(proof === null
      ? []
      : proofLines(worker, proof).map((text) => line(proofWeight, text, { isCaution: proofWeight === 'warns', hasCommands: true }))),
    ...(rescued === null ? [] : [line('tells', `The work from before the conflict: llmc rescue show ${rescued}`, { hasCommands: true })]),
    ...(validation?.passed === false ? [line('blocks', failedLine(validation, isFailedValidation(result)), { isCaution: true })] : []),
    ...conflictLines(result).map(({ blocks, text }) => line(blocks ? 'blocks' : 'warns', text, { isCaution: true })),
    ...warningLines(result.warnings).map((text) => line('warns', text, { isCaution: true, hasCommands: true })),
    ...(place === null ? [] : [line('tells', chosenPlaceText(worker, place), { hasCommands: true })]),
    ...(ofRun === null ? [] : [line('tells', runPlaceText(worker, ofRun), { hasCommands: true })]),
    ...messageEdit(result),
    ...aboutLines(result, columns, summaryLines).map((text) => line('tells', text)),
  ];
}

/** The commit lands with words that a person wrote. */
function messageEdit({ message, message_edit: edit }: HeadOfReview): readonly ReviewLine[] {
  if (edit === 'none') return [];
  const subject = markLookAlikes(visibleLine(message.split('\n')[0] ?? ''));
  const text = edit === 'current' ? `Your message: ${subject}` : `! Your message was written before the agent changed its own: ${subject}`;
  return [{ text, weight: edit === 'current' ? 'tells' : 'warns', isCaution: edit !== 'current', hasCommands: false }];
}

function isOnMain({ files, uncommitted, proof, attention_kind: kind }: HeadOfReview): boolean {
  // There is nothing to land, and nothing was to be landed.
  if (kind === 'answer' || kind === 'no_commit' || kind === 'no_answer') return false;
  return (
    files.length === 0 && uncommitted.length === 0 && (proof === null || judgeProof(proof) === 'clean' || judgeProof(proof) === 'altered')
  );
}

/** Omits the request to review, because the reader is already reviewing. */
function isObstacle({ attention_kind: kind }: HeadOfReview): boolean {
  return kind !== 'review' && kind !== 'review_without_agent' && kind !== 'resolved' && kind !== 'answer';
}

interface ConflictLine {
  readonly blocks: boolean;
  readonly text: string;
}

function conflictLines({ conflicts, not_compared: unknown, attention_kind: kind }: HeadOfReview): readonly ConflictLine[] {
  // An obstacle names the conflict with main already.
  const isSaid = kind === 'conflict' || kind === 'conflict_given_up';
  return [
    ...conflicts
      .filter((conflict) => conflict.kind === 'worker' || !isSaid)
      .map((conflict) => ({ blocks: conflict.kind === 'main', text: conflictLine(conflict) })),
    ...(unknown.length === 0 ? [] : [{ blocks: false, text: `! Not compared with the work of ${unknown.join(', ')}.` }]),
  ];
}

function conflictLine({ with: other, kind, files }: PredictedConflict): string {
  const where = markLookAlikes(visibleLine(files.slice(0, 5).join(', '))) + (files.length > 5 ? ` and ${files.length - 5} more` : '');
  return kind === 'main'
    ? `! It conflicts with ${other} in ${where}.`
    : `! It will conflict with ${other} in ${where}: the one that lands second has to resolve that.`;
}

/** The summary is an agent's text: indented, so that it cannot pass for a line of llmc. */
function aboutLines(result: HeadOfReview, columns: number, most: number): readonly string[] {
  const { task, summary, commits, files, formatted } = result;
  return [
    ...(task === null ? [] : [cutToWidth(`Task: ${markLookAlikes(visibleLine(inOneLine(task)))}`, columns)]),
    ...(summary === null ? [] : summaryText(summary, columns, most)),
    ...(formatted === null ? [] : [formattedLine(formatted)]),
    `${counted(commits.length, 'commit')}, ${sizeWords(files)}${validationWords(result)}`,
  ];
}

/** Work whose validation failed does not get further in an accept, so one line says both. */
function isFailedValidation({ attention_kind: kind, validation }: HeadOfReview): boolean {
  return kind === 'not_landed' && validation?.passed === false;
}

function failedLine({ failed_line, reason, log }: ReviewedValidation, isLanding: boolean): string {
  return `! ${isLanding ? 'Not landed: the validation' : 'Validation'} failed for these files: ${markLookAlikes(visibleLine(`${failed_line ?? ''}: ${reason ?? ''}`))}. Its output: ${visibleLine(log)}`;
}

function validationWords({ validation, validation_commands: commands }: HeadOfReview): string {
  if (commands === 0) return '';
  if (validation === null) return ', not validated yet';
  return validation.passed ? `, validated (${formatAge(validation.took_ms)})` : ', validation failed';
}

function summaryText(summary: string, columns: number, most: number): readonly string[] {
  const text = markLookAlikes(visibleLine(inOneLine(summary)));
  const lines = wrapWithIndent(`Summary: ${text}`, columns, 2).map((line) => cutToWidth(line, columns));
  const shown = lines.slice(0, most);
  return lines.length === shown.length ? shown : [...shown.slice(0, -1), cutToWidth(`${shown.at(-1)} …`, columns)];
}

/** `2 files, +3 -1` */
export function sizeWords(files: HeadOfReview['files']): string {
  return `${counted(files.length, 'file')}, +${sum(files.map((file) => file.added))} -${sum(files.map((file) => file.removed))}`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
