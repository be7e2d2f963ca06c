import { markLookAlikes } from '../../../base/look-alike.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { HardStop, Loss, LossOrigin, Proof, ProofNote, Replaced, Side } from '../../../proof/proof.ts';
import { isAlteration, judgeProof } from '../../../proof/verdict.ts';

const MOST_SHOWN = 10;

/** The proof in a review: what a person has to decide first, then what was recognised, and the next command. */
export function proofLines(worker: string, proof: Proof): readonly string[] {
  const lost = [...proof.dropped, ...proof.resurrected].filter(({ explained }) => !explained);
  const [heavy, light] = [true, false].map((isHeavy) => proof.notes.filter((note) => isAlteration(note) === isHeavy));
  return [
    headline(worker, proof),
    ...shown(proof.stops, proof.stops.length, (stop) => [stopWords(stop)]),
    ...shown(lost, proof.counts.unexplained, (loss) => lossWords(loss, proof.dropped.includes(loss))),
    ...shown(proof.replaced, proof.counts.replaced, replacedWords),
    ...explainedLines(proof),
    ...shown(proof.added, proof.counts.added, ({ path, line, text }) => [`+ ${path}:${line} of neither side: ${text.trim()}`]),
    ...shown(heavy ?? [], heavy?.length ?? 0, (note) => [`~ ${noteWords(note)}`]),
    ...shown(light ?? [], light?.length ?? 0, (note) => [noteWords(note)]),
    ...next(worker, proof),
  ];
}

function headline(worker: string, proof: Proof): string {
  const { stops, counts } = proof;
  const compared = `${counts.files} ${counts.files === 1 ? 'file' : 'files'} compared line by line`;
  switch (judgeProof(proof)) {
    case 'clean':
      return `Conflict resolved by ${worker}, ${cleanWords(proof)} (${compared}).`;
    case 'altered':
      return `! Conflict resolved by ${worker}, but ${alteredWords(proof)} (${compared}).`;
    case 'losses':
      return `! Conflict resolved by ${worker}, but ${lossCounts(proof)} (${compared}).`;
    case 'hard_stop':
      return `! Conflict not resolved: ${stops.length} ${stops.length === 1 ? 'finding stops' : 'findings stop'} this work from landing.`;
  }
}

function cleanWords({ notes }: Proof): string {
  return `no line of main or of the work is lost${notes.some(({ kind }) => kind === 'by_rule') ? ' where llmc could compare' : ''}`;
}

function alteredWords({ replaced, notes, counts }: Proof): string {
  const of = (side: Side): number => replaced.filter((each) => each.side === side).length;
  const isCut = counts.replaced > replaced.length;
  const bySide = isCut
    ? [`${lines(counts.replaced)} are replaced`]
    : SIDES.flatMap((side) => (of(side) === 0 ? [] : [`${lines(of(side))} of ${OWNER[side]} ${of(side) === 1 ? 'is' : 'are'} replaced`]));
  const explained = counts.dropped + counts.resurrected - counts.unexplained;
  const parts = [
    ...bySide,
    ...(explained === 0 ? [] : [`${explained === 1 ? 'one lost line is' : `${explained} lost lines are`} only explained`]),
    ...(counts.added === 0 ? [] : [`${lines(counts.added)} ${counts.added === 1 ? 'is' : 'are'} of neither side`]),
  ];
  const others = notes.filter(isAlteration).length;
  return parts.length === 0 ? `not as on the two sides in ${others === 1 ? 'one file' : `${others} places`}` : parts.join(', ');
}

const SIDES: readonly Side[] = ['main', 'both', 'worker'];

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
function shown<Finding extends object>(
  findings: readonly Finding[],
  count: number,
  words: (finding: Finding) => readonly string[],
): readonly string[] {
  // A person who accepts has seen every line of main, and an agent must not be able to push one off the list.
  const ofMain = findings.filter((finding) => 'side' in finding && finding.side === 'main').length;
  const chosen = findings.slice(0, Math.max(MOST_SHOWN, ofMain));
  const lines = chosen.flatMap(words).map((line) => `  ${line.startsWith('  ') ? '  ' : ''}${markLookAlikes(visibleLine(line.trim()))}`);
  return count > chosen.length ? [...lines, `  and ${count - chosen.length} more: llmc review --json`] : lines;
}

const OWNER: Readonly<Record<Side, string>> = { main: 'main', worker: 'the work', both: 'main and the work' };

function lossWords({ side, path, line, text, origin, by }: Loss, isDropped: boolean): readonly string[] {
  if (!isDropped) return [`+ ${path}:${line} deleted by ${OWNER[side]}: ${text.trim()}`];
  return [`- ${path}:${line} of ${ownerWords(side, origin)}: ${text.trim()}`, ...(by === null ? [] : [`  → ${by.trim()}`])];
}

const ownerWords = (side: Side, origin: LossOrigin | null): string =>
  origin === null ? OWNER[side] : `${OWNER[side]} (${origin.commit.slice(0, 12)} ${origin.author}: ${origin.subject})`;

function explainedLines({ dropped, resurrected }: Proof): readonly string[] {
  const named = [...dropped, ...resurrected].filter(({ explained }) => explained);
  if (named.length === 0) return [];
  return [`  Explained in the commit message:`, ...shown(named, named.length, (loss) => lossWords(loss, dropped.includes(loss)))];
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

/** The line and, below it, what stands for it. */
function replacedWords(replaced: Replaced): readonly string[] {
  const { side, path, line, text, origin } = replaced;
  return [`~ ${path}:${line} of ${ownerWords(side, origin)}: ${text.trim()}`, `  → ${replacementWords(replaced)}`];
}

function replacementWords({ side, how, by }: Replaced): string {
  const text = (by ?? '').trim();
  switch (how) {
    case 'merged':
    case 'reworded':
      return text;
    case 'respaced':
      return `with other spaces or another end: ${text}`;
    case 'chosen':
      return `chosen instead: ${text}`;
    case 'deleted':
      return `deleted by ${side === 'main' ? 'the work' : 'main'}`;
    case 'restructured':
      return 'the lines around it are new';
    case 'duplicate':
      return `only at another place, where ${side === 'main' ? 'the work' : 'main'} has it too`;
    case 'moved':
      return `moved to another file: ${text}`;
  }
}

function noteWords(note: ProofNote): string {
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
    case 'file_added':
      return `${note.path}: a new file of neither side, ${lines(note.lines)}`;
    case 'by_rule':
      return `${note.path}: config.toml has a rule for it, its lines are not compared`;
    case 'too_large':
      return `${note.path}: too large to compare, nothing is known about its lines`;
  }
}

const lines = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;

function next(worker: string, proof: Proof): readonly string[] {
  const back = commandLine('llmc', 'reject', '--worker', worker, '…');
  switch (judgeProof(proof)) {
    case 'clean':
      return [];
    case 'altered':
      return [`Look at this, then: ${commandLine('llmc', 'accept', worker)}   or send it back: ${back}`];
    case 'losses':
      return [`Send it back: ${back}   or land it as it is: ${commandLine('llmc', 'accept', worker, '--allow-dropped')}`];
    case 'hard_stop':
      return [`Send it back: ${back}`];
  }
}
