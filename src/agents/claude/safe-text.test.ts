import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRAPPER } from '../text-changes.ts';
import { isObeyed, makeSafe, normalise } from './safe-text.ts';

describe('text that Claude Code would run', () => {
  const obeyed = [
    '/clear',
    '/foo bar',
    ' /clear',
    '\n/clear',
    '\u00a0/clear',
    '/',
    '/ hello',
    '/123 x',
    '/a:b x',
    '!ls',
    ' !ls',
    '/clear\nfoo',
  ];
  const leaving = ['exit', ' exit ', 'exit\n', 'quit', ':q', ':wq', ':q!', ':wq!'];

  test.each([...obeyed, ...leaving])('%j is put under the wrapper line', (text) => {
    const safe = makeSafe(text);
    expect(safe.text).toBe(`${WRAPPER}\n${text.trimEnd()}`);
    expect(safe.changes).toContain(`put below the line "${WRAPPER}", so that the agent does not read it as a command`);
  });

  test.each([
    '/tmp/foo is a file',
    '// comment',
    '# remember',
    '@a.txt what',
    '& go',
    '? why',
    '1',
    'exit the loop',
    '"exit"',
    'what about /clear',
    'a\n!b',
  ])('%j is sent as it is', (text) => {
    expect(makeSafe(text)).toEqual({ text, changes: [] });
  });
});

describe('text that the box would change', () => {
  test.each<[string, string, string]>([
    ['a\u000bb\u2028c\u0085d', 'a\nb\nc\nd', 'other line separators made \\n'],
    ['a\u202eb\u2066c\u200fd', 'abcd', 'text direction marks removed'],
    ['a\u200bb\ufeffc\u00add', 'abcd', 'invisible characters removed'],
    ['a\tb', 'a    b', 'tabs made four spaces'],
    ['e\u0301', '\u00e9', 'composed (Unicode NFC)'],
    ['abc \n\n', 'abc', 'blanks at the end removed'],
    ['foo\\', 'foo\\ ', 'blank added after the last backslash'],
  ])('%j is typed as %j', (text, typed, change) => {
    expect(makeSafe(text)).toMatchObject({ text: typed, changes: [change] });
  });

  test.each(['/p/pic.png', '"/p/pic.png"', "'/p/pic.JPG'", '~/pic.webp', '\\/p/pic.gif'])(
    'the line %j would become a picture and gets backticks',
    (line) => {
      expect(makeSafe(`see\n ${line}\nthere`).text).toBe(`see\n \`${line}\`\nthere`);
    },
  );

  test.each(['look at /p/pic.png', 'pic.png', '- /p/pic.png', '`/p/pic.png`', '/p/pic.png.'])(
    '%j stays, because Claude Code does not replace it by a picture',
    (text) => {
      expect(makeSafe(text).changes).toEqual([]);
    },
  );

  test('joiners, variation selectors and flags stay', () => {
    const text = 'می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    expect(makeSafe(text)).toEqual({ text, changes: [] });
  });

  test('lost bytes and great length ask for a file, a trailing newline does not', () => {
    expect(makeSafe('all:\n\tmake').needsFile).toBe('tabs made four spaces');
    expect(makeSafe('x'.repeat(300_000)).needsFile).toBe('longer than the tested length of the input box');
    expect(makeSafe('fix it\n').needsFile).toBeUndefined();
  });
});

describe('properties', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '/',
          '!',
          'exit',
          'quit',
          ':q',
          '\\',
          '\t',
          ' ',
          '\n',
          '\r',
          '\u001b',
          '[201~',
          '/a/b.png',
          '`',
          'e\u0301',
          '\u200b',
          '\u202e',
          'x',
        ),
      )
      .map((parts) => parts.join('')),
  );

  test('safe text is never run and has no control character', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const safe = makeSafe(text).text;
        expect(isObeyed(safe)).toBe(false);
        expect(safe).not.toMatch(/[^\P{Cc}\n]/u);
        expect(safe.endsWith('\\')).toBe(false);
      }),
    );
  });

  test('making text safe twice changes nothing more', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(makeSafe(makeSafe(text).text).text).toBe(makeSafe(text).text);
      }),
    );
  });

  test('normalising again changes nothing', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(normalise(normalise(text))).toBe(normalise(text));
      }),
    );
  });

  test('apart from the wrapper and backticks, safe text equals the text', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const safe = makeSafe(text).text;
        const body = safe.startsWith(`${WRAPPER}\n`) && !text.startsWith(WRAPPER) ? safe.slice(WRAPPER.length + 1) : safe;
        expect(normalise(body).replaceAll('`', '')).toBe(normalise(text).replaceAll('`', ''));
      }),
    );
  });
});
