import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeholdersIn, render, strayBraces } from './template.ts';

const VALUES = {
  inputs: { task: 'Fix the parser', count: 3, flag: false },
  research: { findings: '.llmc-task/in/findings.md' },
  '7': { draft: 'draft.md', synthesis: { gaps: 2 } },
  item: { id: 's3', title: 'Scope' },
};

test.each([
  ['an input', 'Task: {{inputs.task}}.', 'Task: Fix the parser.'],
  ['with spaces', '{{ inputs.task }}', 'Fix the parser'],
  ['a number and a flag', '{{inputs.count}} {{inputs.flag}}', '3 false'],
  ['a stage with one result', 'See {{research}}', 'See .llmc-task/in/findings.md'],
  ['a stage with two results', '{{7}}', 'draft: draft.md\nsynthesis: {\n  "gaps": 2\n}'],
  ['a field of an artifact', '{{7.synthesis.gaps}}', '2'],
  ['a field of the item', '{{item.id}}: {{item.title}}', 's3: Scope'],
  ['an item', '{{item}}', '{\n  "id": "s3",\n  "title": "Scope"\n}'],
  ['no value', '[{{inputs.gone}}]', '[]'],
  ['no placeholder', 'a { b } {{ c', 'a { b } {{ c'],
])('renders %s', (_, template, expected) => {
  expect(render(template, VALUES)).toBe(expected);
});

test('what a value contains is not read as a template, nor as a replacement pattern', () => {
  expect(render('{{inputs.task}}', { inputs: { task: '{{inputs.secret}} $& $1', secret: 'x' } })).toBe('{{inputs.secret}} $& $1');
});

test('finds placeholders and stray braces with their offsets', () => {
  const text = 'a {{ x.y }} {{b}} {{ c\n}} d';
  expect(placeholdersIn(text)).toEqual([
    { path: 'x.y', raw: '{{ x.y }}', at: 2 },
    { path: 'b', raw: '{{b}}', at: 12 },
  ]);
  expect(strayBraces(text)).toEqual([
    { raw: '{{', at: 18 },
    { raw: '}}', at: 23 },
  ]);
});

test('any text and any values render', () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (text, values) => {
      expect(typeof render(`${text}{{${text}}}`, values)).toBe('string');
    }),
  );
});
