import { expect, test } from 'vitest';
import { LARGEST_WORKFLOW } from './read-yaml.ts';
import { flow, problems, type Refused } from './refused.fixture.ts';

test.each<Refused>([
  ['an empty file', '', ['1:1 the file is empty; expected a workflow with name and stages']],
  ['comments only', '# later\n', ['1:1 the file is empty; expected a workflow with name and stages']],
  ['a list', '- a\n- b', ['1:1 the file is not a mapping; expected a workflow with name and stages']],
  ['a word', 'swarm', ['1:1 the file is not a mapping; expected a workflow with name and stages']],
  [
    'a bracket that is not closed',
    'name: [flow',
    ['1:12 not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  [
    'two mistakes of syntax',
    'name: @flow\nstages: @x',
    [
      '1:7 not valid YAML: plain value cannot start with reserved character @',
      '2:9 not valid YAML: plain value cannot start with reserved character @',
    ],
  ],
  ['a tab', 'name: flow\nstages:\n\t- id: x', ['3:1 not valid YAML: tabs are not allowed as indentation']],
  ['two documents', 'name: flow\n---\nname: other', ['2:1 found a second document, expected one per file']],
  ['another version', '%YAML 1.1\n---\nname: flow', ['1:1 found a %YAML line, expected none: the file is read as YAML 1.2']],
  ['a key twice', 'name: flow\nname: flow\n', ['2:1 the key "name" is here twice']],
  ['a tag', 'name: !env HOME\n', ['1:12 found the tag !env, expected a value without a tag']],
  [
    'a merge key, and the shape of the rest',
    `colour: red\nx-common: &common { role: lead }\n${flow('  - { <<: *common, id: more, prompt: x }\n')}`,
    [
      expect.stringContaining('1:1 unknown key "colour" at the top level'),
      expect.stringContaining('2:1 unknown key "x-common" at the top level'),
      '9:7 found a merge key, expected the keys themselves',
    ],
  ],
  [
    'a key twice, and a key that nobody knows',
    `name: flow\nname: flow\nnmae: flow\n`,
    ['2:1 the key "name" is here twice', '3:1 unknown key "nmae" at the top level; did you mean "name"?'],
  ],
  [
    'a number without an end',
    'stages: [.inf, .nan]\n',
    [expect.stringContaining('1:10 found .inf or .nan'), expect.stringContaining('1:16 found')],
  ],
  ['an unknown alias', 'name: *flow\n', ['1:7 found the alias *flow, expected one whose anchor &flow ends before it']],
  ['an alias inside its anchor', 'stages: &s\n  - *s\n', ['2:5 found the alias *s, expected one whose anchor &s ends before it']],
  [
    'a placeholder without quotes',
    flow('  - { id: more, role: lead, prompt: {{inputs.task}} }\n'),
    ['7:37 a text that begins with {{ needs quotes'],
  ],
  ['a key that is a list', '? [a, b]\n: c', ['1:3 found a key that is not a word']],
  ['__proto__', 'name: flow\n__proto__: { x: 1 }', ['2:1 the key "__proto__" cannot be used']],
])('no YAML that a workflow may use: %s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});

test('a file that is too large, nested too deeply, or too large by its aliases', () => {
  expect(problems(`name: flow # ${'x'.repeat(LARGEST_WORKFLOW)}`)).toEqual(['1:1 found 131085 characters, expected at most 131072']);
  expect(problems(`name: ${'['.repeat(60)}${']'.repeat(60)}`)).toEqual(['1:47 nested too deeply']);
  expect(problems(`name: ${'['.repeat(20_000)}${']'.repeat(20_000)}`).map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'nested too deeply',
  ]);
  const aliases = ['a', 'b', 'c', 'd'].map(
    (name, index, all) => `${name}: &${name} [${`${index === 0 ? 'x' : `*${all[index - 1]}`},`.repeat(12)}]`,
  );
  expect(problems(aliases.join('\n'))).toEqual([expect.stringContaining('found more than 10000 values, with those that aliases repeat')]);
  // One text of 100 KB, a thousand times.
  const texts = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(1_000)}]`;
  expect(problems(texts)).toEqual([expect.stringContaining('found more than 131072 characters, with those that aliases repeat')]);
  const keys = `a: &a { ${'x'.repeat(100_000)}: 1 }\nb: [${'*a,'.repeat(1_000)}]`;
  expect(problems(keys)).toEqual([expect.stringContaining('found more than 131072 characters, with those that aliases repeat')]);
});
