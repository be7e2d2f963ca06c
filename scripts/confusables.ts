import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes src/base/confusables.ts, the look-alikes of Unicode (UTS 39), from one of two files:
 *
 *   node scripts/confusables.ts confusables.txt    https://www.unicode.org/Public/security/latest/confusables.txt
 *   node scripts/confusables.ts data.json 13.0.0   the same table as the npm package unhomoglyph ships it, and its version
 *
 * A character that Node itself normalizes to the right one (NFKC) is left out: Node has the newest Unicode, and the table stays small.
 */
const [file = '', told = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const version = /^# Version: (\S+)/m.exec(text)?.[1] ?? told;
if (version === '') throw new Error('give the version of Unicode after data.json');

const table = new Map<string, string>(file.endsWith('.json') ? Object.entries(JSON.parse(text)) : ofUnicode());
const skeleton = (word: string): string => [...word.normalize('NFKC')].map((letter) => table.get(letter) ?? letter).join('');
const needed = [...table].filter(([from, to]) => from !== to && (from.normalize('NFKC') === from || skeleton(from) !== skeleton(to)));

const code = (letter: string): number => letter.codePointAt(0) ?? 0;
let last = 0;
const entries = needed
  .toSorted(([one], [other]) => code(one) - code(other))
  .map(([from, to]) => {
    const step = (code(from) - last).toString(36);
    last = code(from);
    // A printable ASCII character stands for itself; the others are numbers in base 36.
    return `${step} ${/^[\x21-\x7e]$/.test(to) ? `=${to}` : [...to].map((letter) => code(letter).toString(36)).join('.')}`;
  });

const literal = JSON.stringify(entries.join(' ')).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
writeFileSync(
  join(import.meta.dirname, '../src/base/confusables.ts'),
  `/**
 * The look-alikes of Unicode ${version} (UTS 39, confusables.txt, © Unicode, Inc., license Unicode-3.0), written by scripts/confusables.ts:
 * pairs of the distance to the character before and what the character looks like.
 */
export const CONFUSABLES =
  '${literal}';
`,
);
process.stdout.write(`${entries.length} of ${table.size} characters of Unicode ${version}\n`);

function* ofUnicode(): Generator<[string, string]> {
  for (const line of text.split('\n')) {
    const [from, to] =
      line
        .replace(/^\ufeff/, '')
        .split('#')[0]
        ?.split(';') ?? [];
    if (from === undefined || to === undefined) continue;
    const letters = (hex: string) =>
      String.fromCodePoint(
        ...hex
          .trim()
          .split(/\s+/)
          .map((each) => Number.parseInt(each, 16)),
      );
    yield [letters(from), letters(to)];
  }
}
