import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

/** Words that must not come back, with the word to use. Each one hides the subject, is archaic, or is a second name for an idea. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b[Mm]end(?:s|ed|ing)?\b|[a-z]Mended\b/, 'fix, repair'],
  [/\banew\b|\bafresh\b/i, 'again'],
  [/\bglanc(?:e|es|ed|ing)\b|\bglance[A-Z]/i, 'read … leniently'],
  [/\bpeek(?:s|ed|ing)?\b|\bpeek[A-Z]/i, 'read … leniently'],
  [/\bwho(?:m)?ever\b|\bsomebody\b/i, 'the worker, the caller, a person'],
  [/\b(?:told|tells?|telling) of\b/i, 'report, log'],
  [/\bin hand\b|\bhands\./i, 'lock'],
  [/\bspoken\b|\bspeaks? to (?:it|the agent|an agent)\b/i, 'protocol channel'],
  [/\bSight\b|\bin sight\b|\bout of sight\b/, 'Capture, visible'],
  [/\bin vain\b/i, 'without success'],
  [/\b(?:came|come|comes) of it\b/i, 'the result'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b|later than\b|one\b)/i, 'is not a'],
];

/** Files that the rules hold for. */
const FILES = ['README.md', 'docs/**/*.md', '{src,scripts,bench,test}/**/*.{ts,mjs}'];

test.for(WORDS)('no text uses %s', ([word, instead]) => {
  const exclude = ['test/repo/voice.test.ts'];
  const places = globSync(FILES, { cwd: repository, exclude }).flatMap((file) => {
    const lines = readFileSync(join(repository, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
  });
  expect(places, `use instead: ${instead}`).toEqual([]);
});
