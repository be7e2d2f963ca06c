import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { promptText } from './prompt-text.ts';
import { fill, readVariables } from './template.ts';

const NONE = { text: undefined, file: undefined, stdin: false };
const HINT = 'llmc start --prompt "…"';

describe('a prompt', () => {
  test('is not changed: spaces and line breaks are kept', async () => {
    expect(await promptText({ ...NONE, text: '  two\n lines \n' }, HINT)).toBe('  two\n lines \n');
  });

  test('in another encoding is refused, not changed', async () => {
    await expect(promptText({ ...NONE, text: 'caf\uFFFD' }, HINT)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('not UTF-8'),
    });
  });

  test('comes from a file byte for byte, and a file that is not text is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'llmc-prompt-'));
    try {
      const at = (name: string) => join(folder, name);
      await Promise.all([
        writeFile(at('good'), 'Grüße\n'),
        writeFile(at('binary'), Buffer.from([0xff, 0xfe])),
        writeFile(at('blank'), ' \n'),
        writeFile(at('nul'), 'a\0b'),
      ]);
      expect(await promptText({ ...NONE, file: at('good') }, HINT)).toBe('Grüße\n');
      const refusals: readonly [string, RegExp][] = [
        ['binary', /not a text file/],
        ['blank', /empty/],
        ['nul', /NUL/],
        ['missing', /does not exist/],
      ];
      for (const [name, message] of refusals)
        await expect(promptText({ ...NONE, file: at(name) }, HINT)).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringMatching(message),
        });
      await expect(promptText({ ...NONE, file: folder }, HINT)).rejects.toMatchObject({ code: 'FILESYSTEM_ERROR' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    ['is missing', NONE, /no prompt/],
    ['is given twice', { ...NONE, text: 'a', stdin: true }, /more than one/],
    ['is given twice, though once it is empty', { ...NONE, text: '', file: 'x' }, /more than one/],
    ['is empty', { ...NONE, text: '' }, /empty/],
    ['is blank', { ...NONE, text: ' \n\t' }, /empty/],
    ['holds a NUL character', { ...NONE, text: 'a\0b' }, /NUL/],
  ])('is refused when it %s', async (_, sources, message) => {
    await expect(promptText(sources, HINT)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
      hint: HINT,
    });
  });
});

describe('a template', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['the prompt and a value', 'In {{area}}: {{ prompt }}', { area: 'src', prompt: 'Fix it' }, 'In src: Fix it'],
    ['one name twice', '{{a}}{{a}}', { a: 'x' }, 'xx'],
    ['a value that looks like a name is not filled again', '{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
    ['a value that looks like a pattern stays', '{{a}}', { a: '$& $1 $$' }, '$& $1 $$'],
    ['braces of the text’s own', 'f(){ {} } {{ }} {{1}}', {}, 'f(){ {} } {{ }} {{1}}'],
    ['an empty value', 'a{{b}}c', { b: '' }, 'ac'],
  ])('is filled: %s', (_, template, variables, expected) => {
    expect(fill(template, variables)).toBe(expected);
  });

  test('names every missing value and the option for it', () => {
    expect(() => fill('{{prompt}} {{area}} {{area}} {{toString}}', {})).toThrow(
      expect.objectContaining({
        message: 'the template needs a value for prompt, area, toString',
        hint: '--prompt "…" --var area=… --var toString=…',
      }),
    );
  });

  test('takes values as name=value, split at the first "="', () => {
    expect(readVariables(['a=1', 'b=x=y', 'c='])).toEqual({ a: '1', b: 'x=y', c: '' });
    for (const wrong of ['a', '=x', ''])
      expect(() => readVariables([wrong])).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
