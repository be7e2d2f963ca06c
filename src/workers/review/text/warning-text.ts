import { markLookAlikes } from '../../../base/look-alike.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { NOTABLE_RULES } from '../notable/rules.ts';
import type { ReviewWarning } from '../review-warning.ts';
import { leftOutText } from './left-out-text.ts';

const MOST_SHOWN = 25;

/** Names and findings in one line; `--json` has all of them. */
const MOST_NAMED = 5;

/** One line per warning, one for all files of a rule, and a line for those that are left out. */
export function warningLines(warnings: readonly ReviewWarning[]): readonly string[] {
  const groups = [...Map.groupBy(warnings, (warning) => (warning.kind === 'notable' ? warning.rule : warning)).values()];
  const lines = groups.slice(0, MOST_SHOWN).map((group) => visibleLine(`! ${groupWords(group)}`));
  const rest = groups.slice(MOST_SHOWN).flat().length;
  return rest === 0 ? lines : [...lines, `! ${rest} more warnings: llmc review --json`];
}

function groupWords(group: readonly ReviewWarning[]): string {
  const [first] = group;
  if (first === undefined) return '';
  if (first.kind !== 'notable') return words(first);
  const those = group.filter((warning) => warning.kind === 'notable');
  const files = some(
    those.map(({ file, is }) => `${markLookAlikes(file)}${is === 'changed' ? '' : ` (${is})`}`),
    'files',
  );
  const found = some([...new Set(those.flatMap((warning) => warning.found))], '');
  return `${files}: ${NOTABLE_RULES[first.rule].why}${found === '' ? '' : `: ${markLookAlikes(found)}`}`;
}

/** The first ones, and how many more there are. */
function some(texts: readonly string[], noun: string): string {
  const more = texts.length - MOST_NAMED;
  return `${texts.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more ${noun}`.trimEnd() : ''}`;
}

const CHARACTERS = {
  control: 'control characters',
  reordering: 'characters that reorder the text',
  hidden: 'invisible characters',
} as const;

function words(warning: Exclude<ReviewWarning, { readonly kind: 'notable' }>): string {
  switch (warning.kind) {
    case 'marked':
      return `its run calls this work ${warning.marks.join(', ')}: ${commandLine('llmc', 'report', warning.run)}`;
    case 'main_rewritten':
      return leftOutText(warning.branch, warning);
    case 'control':
    case 'reordering':
    case 'hidden':
      return `${describePlace(warning)}: ${CHARACTERS[warning.kind]}, shown by their codes: ${warning.characters.join(', ')}`;
    case 'look_alike':
      return `${describePlace(warning)}: letters of another alphabet that look Latin: ${warning.words.map((word) => markLookAlikes(word)).join(', ')}`;
    case 'misleading_name':
      return warning.resembles === null
        ? `${markLookAlikes(warning.file)}: the name of this file has characters that mislead`
        : `${markLookAlikes(warning.file)}: this name can be mistaken for ${markLookAlikes(warning.resembles)}`;
    case 'link':
      return `${warning.file}: a symbolic link to ${warning.target}${warning.outside ? ', outside the repository' : ''}`;
    case 'submodule':
      return `${warning.file}: the commit of a submodule, ${shortened(warning.before)} → ${shortened(warning.after)}`;
    case 'mode':
      return `${warning.file}: ${modeWords(warning.before, warning.after)}`;
    case 'binary':
      return `not shown, because the content is binary: ${named(warning)}`;
    case 'omitted':
      return `not shown, because the diff is too long: ${named(warning)}`;
  }
}

function describePlace({
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
