import { stringify as stringifyInline } from '@decimalturn/toml-patch';
import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { scanToml } from './positions.ts';

/** The text a path's value was found at. */
function found(text: string, path: readonly (string | number)[]): string | undefined {
  const mark = scanToml(text).marks.find((candidate) => JSON.stringify(candidate.path) === JSON.stringify(path));
  return mark && text.slice(mark.valueAt, mark.end).trim();
}

describe('the scanner of positions', () => {
  test.each<[string, string, (string | number)[], string]>([
    ['a plain key', 'a = 1', ['a'], '1'],
    ['a key of a table', '[t]\na = 1', ['t', 'a'], '1'],
    ['a dotted key with spaces and quotes', '[t]\na . "b c" . \'d\' = 2 # x', ['t', 'a', 'b c', 'd'], '2'],
    ['a header with spaces and quotes', '[ t . "x.y" ]\na = 3', ['t', 'x.y', 'a'], '3'],
    ['a key with escapes', '"\\u0061\\tb" = 4', ['a\tb'], '4'],
    ['a key in an inline table', 't = { x = 1, y.z = { q = 5 } }', ['t', 'y', 'z', 'q'], '5'],
    ['an element of a list over several lines', 'a = [ # [\n "]", # x = 1\n 6,\n]', ['a', 1], '6'],
    ['a key in a table in a list', 'a = [{ b = 1 }, { b = 7 }]', ['a', 1, 'b'], '7'],
    ['the second of several tables', '[[a]]\nb = 1\n[[a]]\nb = 8\n', ['a', 1, 'b'], '8'],
    ['a table below the newest of several', '[[a]]\n[[a]]\n[a.c]\nb = 9', ['a', 1, 'c', 'b'], '9'],
    ['a key after key-like text in a comment', '# b = 1\nb = 2', ['b'], '2'],
    ['a key after key-like text in a string', 'a = """\nb = 1\n[t]\n"""\nb = 2', ['b'], '2'],
    ['a key after a literal block', "a = '''\nb = 1 \\'''\nb = 2", ['b'], '2'],
    ['a string that ends in quotes', 'a = """x"""""\nb = 2', ['a'], '"""x"""""'],
    ['a string with escaped quotes', 'a = "x\\" # y"\nb = 2', ['a'], '"x\\" # y"'],
    ['a key in a file with CRLF', '[t]\r\na = 1 # x\r\nb = [\r\n 2,\r\n]\r\n', ['t', 'b', 0], '2'],
    ['a date with a space', 'a = 1979-05-27 07:32:00 # x', ['a'], '1979-05-27 07:32:00'],
  ])('finds %s', (_, text, path, value) => {
    parse(text);
    expect(found(text, path)).toBe(value);
  });

  test('says where each table header stands', () => {
    const text = 'a = 1\n\n[t] # x\n[ workers . adam ]\n';
    expect(scanToml(text).headers.map(({ path, at, end }) => [path, text.slice(at, end)])).toEqual([
      [['t'], '[t]'],
      [['workers', 'adam'], '[ workers . adam ]'],
    ]);
  });

  test('ends on text that is not TOML', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => Array.isArray(scanToml(text).marks)));
  });

  test('reads a text of a megabyte', () => {
    expect(found(`a = """${'x\n'.repeat(500_000)}"""\nb = 2`, ['b'])).toBe('2');
  });

  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom('# no', '"""', "'''", '\\', '[t]\nx = 1', '}, {'),
  );
  const document = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('table')),
    table: fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  })).table;

  test.each([
    ['tables', (value: unknown) => stringify(value)],
    ['inline tables', (value: unknown) => stringifyInline(value, { inlineTableStart: 0 })],
  ])('finds every value of any document written with %s', (_, write) => {
    fc.assert(
      fc.property(document, (value) => {
        const text = write(value);
        const { marks } = scanToml(text);
        for (const [path, expected] of leaves(parse(text), [])) {
          const mark = marks.find((candidate) => JSON.stringify(candidate.path) === JSON.stringify(path));
          expect(parse(`x = ${text.slice(mark?.valueAt, mark?.end)}`)['x']).toEqual(expected);
        }
      }),
    );
  });
});

function* leaves(value: unknown, path: readonly (string | number)[]): Generator<[readonly (string | number)[], unknown]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leaves(item, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, key]);
  else yield [path, value];
}
