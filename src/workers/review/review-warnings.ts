import { posix } from 'node:path';
import { lookAlikesIn } from '../../base/look-alike.ts';
import { codePoint, hiddenIn } from '../../base/visible-text.ts';
import type { ChangedFile } from '../../git/changed-files.ts';
import type { Change } from '../../git/diff.ts';
import { type AddedLine, addedLines } from '../../git/patch-sections.ts';
import type { FoundNotable } from './notable/find-notable.ts';
import type { ReviewWarning } from './review-warning.ts';

const MOST_LISTED = 20;
const LINK = '120000';
const SUBMODULE = '160000';
const ABSENT = '000000';

/** Nothing that acts by itself was found. */
export const NONE_NOTABLE: FoundNotable = { notable: [], twins: [] };

/** The order in which warnings are shown: many that matter less cannot hide one that matters. */
const ORDER = [
  'marked',
  'notable',
  'link',
  'submodule',
  'misleading_name',
  'control',
  'reordering',
  'hidden',
  'look_alike',
  'mode',
  'binary',
  'omitted',
];

/**
 * Finds what a reviewer could overlook or misread in a change: first the files that act by themselves. Lines that main has already are not
 * searched.
 */
export function reviewWarnings({ files, sections, omitted }: Change, message: string, found: FoundNotable): readonly ReviewWarning[] {
  const texts = new Map<ChangedFile, readonly string[]>();
  for (const { file, text } of sections) if (file !== undefined) texts.set(file, [...(texts.get(file) ?? []), text]);
  const messageLines = message.split('\n').map((text, index) => ({ number: index + 1, text }));
  const twins = new Map(found.twins.map(({ file, resembles }) => [file, resembles]));
  const warnings: readonly ReviewWarning[] = [
    ...found.notable.map((notable) => ({ kind: 'notable' as const, ...notable })),
    ...warnOfLines(null, messageLines),
    ...files.flatMap((file) => {
      const own = texts.get(file) ?? [];
      const added = () => own.flatMap(addedLines);
      return [
        ...(own.every(isPlain) ? [] : warnOfText(file, added())),
        ...warnOfType(file, added),
        ...warnOfName(file, twins.get(file.path) ?? null),
      ];
    }),
    ...warnOfMany(
      'binary',
      files.filter(({ binary }) => binary).map(({ path }) => path),
    ),
    ...warnOfMany('omitted', omitted),
  ];
  return warnings.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** Almost all files are plain, and a long diff has 80,000 lines: those are not read one by one. */
const isPlain = (text: string): boolean => /^[\n\t\x20-\x7e]*$/.test(text);

function warnOfText(file: ChangedFile, added: readonly AddedLine[]): readonly ReviewWarning[] {
  return file.modes.after === LINK ? [] : warnOfLines(file.path, added);
}

function warnOfLines(file: string | null, lines: readonly AddedLine[]): readonly ReviewWarning[] {
  const odd = lines.filter(({ text }) => !/^[\t\x20-\x7e]*$/.test(text));
  const found = odd.map((line) => ({ ...line, characters: hiddenIn(lineContent(line)), words: lookAlikesIn(line.text) }));
  const kinds = (['control', 'reordering', 'hidden'] as const).flatMap((kind) => {
    const those = found.filter(({ characters }) => characters.some((character) => judgeKind(character) === kind));
    const characters = those.flatMap((line) => line.characters.filter((character) => judgeKind(character) === kind));
    return those.length === 0 ? [] : [{ kind, ...listed(file, those), characters: unique(characters).map(codePoint) }];
  });
  const alike = found.filter(({ words }) => words.length > 0);
  const words = unique(alike.flatMap((line) => line.words));
  return [...kinds, ...(alike.length === 0 ? [] : [{ kind: 'look_alike' as const, ...listed(file, alike), words }])];
}

/** A carriage return before the line feed is a line end; a byte order mark at the very beginning of a file is common. */
function lineContent({ number, text }: AddedLine): string {
  const content = text.endsWith('\r') ? text.slice(0, -1) : text;
  return number === 1 && content.startsWith('\ufeff') ? content.slice(1) : content;
}

function judgeKind(character: string): 'control' | 'reordering' | 'hidden' {
  if (/\p{Cc}/u.test(character)) return 'control';
  return /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(character) ? 'reordering' : 'hidden';
}

function listed(file: string | null, lines: readonly AddedLine[]) {
  return { file, lines: lines.slice(0, MOST_LISTED).map(({ number }) => number), count: lines.length };
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].slice(0, MOST_LISTED);
}

function warnOfType({ path, modes, hashes }: ChangedFile, added: () => readonly AddedLine[]): readonly ReviewWarning[] {
  if (modes.after === LINK) {
    const target = added()
      .map(({ text }) => text)
      .join('\n');
    const outside = posix.isAbsolute(target) || posix.join(posix.dirname(path), target).startsWith('..');
    return [{ kind: 'link', file: path, target, outside }];
  }
  if (modes.before === SUBMODULE || modes.after === SUBMODULE) {
    const hash = (side: 'before' | 'after') => (modes[side] === SUBMODULE ? hashes[side] : null);
    return [{ kind: 'submodule', file: path, before: hash('before'), after: hash('after') }];
  }
  const isChanged = modes.before !== modes.after && modes.after !== ABSENT && (modes.before !== ABSENT || modes.after === '100755');
  return isChanged ? [{ kind: 'mode', file: path, before: modes.before, after: modes.after }] : [];
}

function warnOfName({ path, modes }: ChangedFile, resembles: string | null): readonly ReviewWarning[] {
  const misleads = path.includes('\n') || hiddenIn(path).length > 0 || lookAlikesIn(path).length > 0 || resembles !== null;
  return misleads && modes.after !== ABSENT ? [{ kind: 'misleading_name', file: path, resembles }] : [];
}

function warnOfMany(kind: 'binary' | 'omitted', files: readonly string[]): readonly ReviewWarning[] {
  return files.length === 0 ? [] : [{ kind, files: files.slice(0, MOST_LISTED), count: files.length }];
}
