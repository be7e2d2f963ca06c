import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRAPPER } from '../text-changes.ts';
import { AFTERWORD, makeSafe, normalise } from './safe-text.ts';

describe('text that Codex would run', () => {
  test.each(['!ls', '! echo hi\nmore', '/foo bar', '/clear', '  /quit', '/'])('%j is put under a line of its own', (text) => {
    expect(makeSafe(text).text).toBe(`${WRAPPER}\n${text.trim()}`);
  });

  test.each(['look at @file', '@', 'use $skill-creator', '$HOME', 'a\n@b/c.ts'])('%j gets a last word after it', (text) => {
    expect(makeSafe(text).text).toBe(`${text} ${AFTERWORD}`);
  });

  test.each([
    '/tmp/foo is a file',
    'quit',
    'exit',
    ':q',
    '?',
    'y',
    '1',
    'foo\\',
    'a\tb',
    '@file read it',
    'mail me@example',
    'a\n/clear',
    'a\n!b',
  ])('%j is sent as it is', (text) => {
    expect(makeSafe(text)).toEqual({ text, changes: [] });
  });
});

describe('text that the box would change', () => {
  test('blanks at both ends are removed', () => {
    expect(makeSafe('\n  abc \n\n')).toMatchObject({ text: 'abc', changes: ['blanks at both ends removed'] });
  });

  test('text that would lose bytes, or is longer than measured, is sent as a file', () => {
    expect(makeSafe('a\u001b[0mb').needsFile).toBe('escape sequences removed');
    expect(makeSafe('x'.repeat(140_000)).needsFile).toBe('longer than the tested length of the input box');
    expect(makeSafe('x'.repeat(64_000)).needsFile).toBeUndefined();
  });

  test('safe text is not changed again, is never run and equals the text', () => {
    const words = fc.array(fc.constantFrom('!', '/', '@', '$', 'word', ' ', '\n', '\r\n', '\t', '\u001b[A', 'é', '日'), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          words.map((parts) => parts.join('')),
        ),
        (text) => {
          const { text: safe } = makeSafe(text);
          expect(makeSafe(safe).text).toBe(safe);
          expect(safe).not.toMatch(/^\s*!|^\/(?!\S*\/)|(?:^|\s)[@$]\S*$/);
          expect(normalise(safe)).toBe(safe);
        },
      ),
    );
  });
});
