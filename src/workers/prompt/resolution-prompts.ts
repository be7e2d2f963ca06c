import type { ConflictFacts } from '../../git/rebase/conflict-facts.ts';
import type { FailedLine } from '../worktree/shell-lines.ts';
import { checksText, DATA, fitting, LONGEST_LIST, LONGEST_OUTPUT, more, numbers, type Resolving } from './conflict-words.ts';
import { cut, fenced, pathspec, quoted, tail } from './quoted-text.ts';

export interface LostLine {
  readonly path: string;
  /** Who had the line, or deleted it; `both`: main and the worker. */
  readonly side: 'main' | 'worker' | 'both';
  readonly text: string;
}

const LONGEST_LINE = 200;

/** For files with conflict markers in them that are staged or said to be resolved. */
export function markersLeftPrompt(resolving: Resolving, facts: ConflictFacts): string {
  const marked = facts.files.filter(({ markers }) => markers.length > 0);
  const listed = fitting(
    marked.map(({ path, markers, state }) => `- ${quoted(path)}: ${numbers(markers)}${state === 'staged' ? ', staged' : ''}`),
    LONGEST_LIST,
  );
  const commands = fitting(
    marked.map(({ path }) => `    git add -- ${pathspec(path)}`),
    LONGEST_LIST,
  );
  return [
    `The rebase onto ${quoted(resolving.main)} cannot go on: these files still contain conflict markers of git (<<<<<<<, |||||||, =======, >>>>>>>).`,
    '',
    ...listed,
    ...more(marked.length - listed.length),
    '',
    'In each place, keep what both sides meant and remove the marker lines. Then stage the files again:',
    '',
    ...commands,
    '',
    'Do not run git rebase --continue: llmc does it when your turn ends.',
  ].join('\n');
}

/** For a rebase that git, or llmc, did not continue. */
export function continueRefusedPrompt(resolving: Resolving, output: string): string {
  return [
    `Every conflict is resolved, but the rebase onto ${quoted(resolving.main)} cannot be continued:`,
    '',
    fenced(tail(output, LONGEST_OUTPUT)),
    '',
    DATA,
    '',
    'Find the cause (git status), remove it without losing lines of either side, and stage the result. Then end your turn. Do not run git rebase --continue: llmc does it.',
  ].join('\n');
}

export function validationFailedPrompt(resolving: Resolving, failed: FailedLine): string {
  return [
    `The rebase onto ${quoted(resolving.main)} is complete, but a check fails on the result (${failed.reason}):`,
    '',
    `    ${failed.line}`,
    '',
    'The end of its output:',
    '',
    fenced(tail(failed.output, LONGEST_OUTPUT)),
    '',
    DATA,
    '',
    'Your work and the new commits of main do not fit together yet, or a conflict was resolved wrongly. Fix the code, not the check, and keep what both sides added.',
    ...checksText(resolving),
    '',
    'Then commit (amend your last commit or add one), and end your turn.',
  ].join('\n');
}

/** Sends the lines that the resolution dropped, and those that came back, to the agent. */
export function linesDroppedPrompt(resolving: Resolving, dropped: readonly LostLine[], resurrected: readonly LostLine[] = []): string {
  return [
    `The rebase onto ${quoted(resolving.main)} is complete. llmc compared the result with both sides: lines are missing, or came back.`,
    ...lostText('Missing in the result. The side that had the line is before it:', dropped),
    ...lostText('In the result again. The side that had deleted the line is before it:', resurrected),
    '',
    DATA,
    '',
    'Decide for each line:',
    '',
    '1. It is missing, or came back, by mistake: correct the file, then commit (amend your last commit or add one).',
    '2. It is right like this: say so in the message of your last commit (git commit --amend). In the last paragraph, put one trailer for each line, with the path and the text as they are above:',
    '',
    '       Dropped: <path>: <the text of the missing line>',
    '       Restored: <path>: <the text of the line that came back>',
    '',
    'llmc compares the path and the text with its list. A long line may end with three dots. Say why in the paragraph before.',
    '',
    'Do not put a line back only to satisfy this comparison, if the code is wrong with it. Then end your turn.',
  ].join('\n');
}

function lostText(heading: string, lines: readonly LostLine[]): readonly string[] {
  if (lines.length === 0) return [];
  const listed = lines.slice(
    0,
    fitting(
      lines.map(({ path, text }) => `${path}${beginning(text)}`),
      LONGEST_LIST,
    ).length,
  );
  const blocks = [...Map.groupBy(listed, ({ path }) => path)].flatMap(([path, group]) => [
    '',
    `${quoted(path)}:`,
    '',
    fenced(group.map(({ side, text }) => `${OWNERS[side]} | ${beginning(text)}`).join('\n')),
  ]);
  const left = lines.length - listed.length;
  return ['', heading, ...blocks, ...(left > 0 ? ['', `${left} more lines are not listed here.`] : [])];
}

/** A trailer may end with three dots in place of the rest. */
const beginning = (text: string): string => (text.length > LONGEST_LINE ? `${cut(text, LONGEST_LINE).slice(0, -1)}...` : text);

const OWNERS: Readonly<Record<LostLine['side'], string>> = { main: 'main ', worker: 'yours', both: 'both ' };
