import { markLookAlikes } from '../../../base/look-alike.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { HardStop, Loss, Note, Proof, Replaced, Side } from '../../../proof/proof.ts';
import { verdictOf } from '../../../proof/verdict.ts';

const MOST_SHOWN = 10;

/** The proof in a review: what a person has to decide first, then what was recognised, and the next command. */
export function proofLines(worker: string, proof: Proof): readonly string[] {
  const lost = [...proof.dropped, ...proof.resurrected].filter(({ explained }) => !explained);
  return [
    headline(worker, proof),
    ...shown(proof.stops, proof.stops.length, stopWords),
    ...shown(lost, proof.counts.unexplained, (loss) => lossWords(loss, proof.dropped.includes(loss))),
    ...explainedLines(proof),
    ...shown(proof.replaced, proof.counts.replaced, replacedWords),
    ...shown(proof.notes, proof.notes.length, noteWords),
    ...next(worker, proof),
  ];
}

function headline(worker: string, proof: Proof): string {
  const { stops, counts } = proof;
  const compared = `${counts.files} ${counts.files === 1 ? 'file' : 'files'} compared line by line`;
  switch (verdictOf(proof)) {
    case 'clean':
      return `Conflict resolved by ${worker}, ${cleanWords(proof)} (${compared}).`;
    case 'losses':
      return `! Conflict resolved by ${worker}, but ${lossCounts(proof)} (${compared}).`;
    case 'hard_stop':
      return `! Conflict not resolved: ${stops.length} ${stops.length === 1 ? 'finding stops' : 'findings stop'} this work from landing.`;
  }
}

function cleanWords({ notes, counts }: Proof): string {
  if (counts.dropped + counts.resurrected > 0) return 'every lost line is explained in the commit message';
  const isWhole = notes.every(({ kind }) => kind !== 'too_large' && kind !== 'by_rule');
  return `no line of main or of the work is lost${isWhole ? '' : ' where llmc could compare'}`;
}

function lossCounts({ dropped, resurrected, counts }: Proof): string {
  const isCut = counts.dropped > dropped.length || counts.resurrected > resurrected.length;
  if (isCut) return `${counts.unexplained} lines are lost or came back`;
  const [lost, back] = [dropped, resurrected].map((losses) => losses.filter(({ explained }) => !explained).length);
  const parts = [
    ...(lost === undefined || lost === 0 ? [] : [`${lost} ${lost === 1 ? 'line is' : 'lines are'} lost`]),
    ...(back === undefined || back === 0 ? [] : [`${back} deleted ${back === 1 ? 'line is' : 'lines are'} back`]),
  ];
  return parts.join(' and ');
}

/** Names and lines are an agent's text: one line each, with misleading characters shown by their codes. */
function shown<Finding>(findings: readonly Finding[], count: number, words: (finding: Finding) => string): readonly string[] {
  const lines = findings.slice(0, MOST_SHOWN).map((finding) => `  ${markLookAlikes(visibleLine(words(finding)))}`);
  return count > lines.length ? [...lines, `  and ${count - lines.length} more: llmc review --json`] : lines;
}

const OWNER: Readonly<Record<Side, string>> = { main: 'main', worker: 'the work', both: 'main and the work' };

const lossWords = ({ side, path, line, text }: Loss, isDropped: boolean): string =>
  isDropped ? `- ${path}:${line} of ${OWNER[side]}: ${text.trim()}` : `+ ${path}:${line} deleted by ${OWNER[side]}: ${text.trim()}`;

function explainedLines({ dropped, resurrected }: Proof): readonly string[] {
  const named = [...dropped, ...resurrected].filter(({ explained }) => explained);
  if (named.length === 0) return [];
  return [`  Explained in the commit message:`, ...shown(named, named.length, (loss) => `  ${lossWords(loss, dropped.includes(loss))}`)];
}

function stopWords(stop: HardStop): string {
  switch (stop.kind) {
    case 'markers':
      return `! ${stop.path}:${stop.line}: conflict markers are left`;
    case 'emptied':
      return `! ${stop.path}: the file is empty now`;
    case 'empty_change':
      return '! nothing of the work is left: the result is main itself';
    case 'lost_file':
      return `! ${stop.path}: the file of ${OWNER[stop.side]} is missing`;
    case 'mode':
      return `! ${stop.path}: the mode is ${stop.actual ?? 'none'} instead of ${stop.expected.join(' or ')}`;
    case 'content':
      return `! ${stop.path}: a binary file, link or submodule that is neither the one of main nor the one of the work`;
  }
}

function replacedWords({ side, path, line, text, how, by }: Replaced): string {
  const what = `~ ${path}:${line} of ${OWNER[side]}: ${text.trim()}`;
  switch (how) {
    case 'merged':
    case 'reworded':
      return `${what} → ${(by ?? '').trim()}`;
    case 'chosen':
      return `${what} → chosen instead: ${(by ?? '').trim()}`;
    case 'deleted':
      return `${what} → deleted by ${side === 'main' ? 'the work' : 'main'}`;
    case 'restructured':
      return `${what} → the lines around it are new`;
  }
}

function noteWords(note: Note): string {
  switch (note.kind) {
    case 'moved':
      return note.path === note.to ? `${note.path}: ${lines(note.lines)} moved` : `${note.path}: ${lines(note.lines)} moved to ${note.to}`;
    case 'reindented':
      return `${note.path}: ${lines(note.lines)} with another indentation`;
    case 'line_endings':
      return `${note.path}: line ends are ${note.now === 'mixed' ? 'mixed' : note.now === 'crlf' ? 'CR LF' : 'LF'} now`;
    case 'file_chosen':
      return `${note.path}: both sides changed it, this is the one of ${OWNER[note.side]}`;
    case 'file_kept':
      return `${note.path}: deleted by ${OWNER[note.side]}, changed by the other side, kept`;
    case 'file_deleted':
      return `${note.path}: deleted by ${OWNER[note.side]}, changed by the other side, deleted`;
    case 'by_rule':
      return `${note.path}: config.toml has a rule for it, its lines are not compared`;
    case 'too_large':
      return `${note.path}: too large to compare, nothing is known about its lines`;
  }
}

const lines = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;

function next(worker: string, proof: Proof): readonly string[] {
  const back = commandLine('llmc', 'reject', '--worker', worker, '…');
  switch (verdictOf(proof)) {
    case 'clean':
      return [];
    case 'losses':
      return [`Send it back: ${back}   or land it as it is: ${commandLine('llmc', 'accept', worker, '--allow-dropped')}`];
    case 'hard_stop':
      return [`Send it back: ${back}`];
  }
}
