import { markLookAlikes } from '../../../base/look-alike.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { NotableFile } from '../notable-files.ts';
import type { ReviewWarning } from '../review-warning.ts';

const MOST_SHOWN = 25;

/** One line per warning, and a line for those that are left out. */
export function warningLines(warnings: readonly ReviewWarning[]): readonly string[] {
  const lines = warnings.slice(0, MOST_SHOWN).map((warning) => visibleLine(`! ${words(warning)}`));
  const rest = warnings.length - lines.length;
  return rest === 0 ? lines : [...lines, `! ${rest} more warnings: llmc review --json`];
}

const CHARACTERS = {
  control: 'control characters',
  reordering: 'characters that reorder the text',
  hidden: 'invisible characters',
} as const;

const NOTABLE: Readonly<Record<NotableFile, string>> = {
  git: 'git obeys this file',
  runs: 'this file makes a machine run commands',
  agent: 'agents read this file as instructions',
};

function words(warning: ReviewWarning): string {
  switch (warning.kind) {
    case 'marked':
      return `its run calls this work ${warning.marks.join(', ')}: ${commandLine('llmc', 'report', warning.run)}`;
    case 'control':
    case 'reordering':
    case 'hidden':
      return `${placeOf(warning)}: ${CHARACTERS[warning.kind]}, shown by their codes: ${warning.characters.join(', ')}`;
    case 'look_alike':
      return `${placeOf(warning)}: letters of another alphabet that look Latin: ${warning.words.map((word) => markLookAlikes(word)).join(', ')}`;
    case 'misleading_name':
      return `${markLookAlikes(warning.file)}: the name of this file has characters that mislead`;
    case 'link':
      return `${warning.file}: a symbolic link to ${warning.target}${warning.outside ? ', outside the repository' : ''}`;
    case 'submodule':
      return `${warning.file}: the commit of a submodule, ${shortened(warning.before)} → ${shortened(warning.after)}`;
    case 'mode':
      return `${warning.file}: ${modeWords(warning.before, warning.after)}`;
    case 'notable':
      return `${warning.file}: ${NOTABLE[warning.about]}`;
    case 'binary':
      return `not shown, because the content is binary: ${named(warning)}`;
    case 'omitted':
      return `not shown, because the diff is too long: ${named(warning)}`;
  }
}

function placeOf({
  file,
  lines,
  count,
}: {
  readonly file: string | null;
  readonly lines: readonly number[];
  readonly count: number;
}): string {
  const [first] = lines;
  const more = count === 1 ? '' : ` and ${count - 1} more ${count === 2 ? 'line' : 'lines'}`;
  return `${file ?? 'the commit message'}:${first}${more}`;
}

function shortened(hash: string | null): string {
  return hash === null ? 'none' : hash.slice(0, 12);
}

function modeWords(before: string, after: string): string {
  if (after === '100755') return 'executable';
  return before === '100755' ? 'no longer executable' : `another type of file than before (${before} → ${after})`;
}

function named({ files, count }: { readonly files: readonly string[]; readonly count: number }): string {
  return `${files.join(', ')}${count > files.length ? ` and ${count - files.length} more files` : ''}`;
}
