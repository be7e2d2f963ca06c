import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import type { Plan } from '../definition/plan.ts';
import { valueProblems } from './check-values.ts';
import { readFileInputs } from './file-inputs.ts';

const INPUTS: Plan['inputs'] = {
  issues: { type: 'items', oneOf: [], optional: false },
  more: { type: 'items', oneOf: [], optional: true },
};

/** Reads `issues` from these files, with this on standard input. */
async function read(files: Readonly<Record<string, string>>, issues: string, piped = '') {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.path, 'issues'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(scratch.path, name), text);
  const { values, problems } = await readFileInputs(INPUTS, { values: { issues }, problems: [] }, scratch.path, async () => piped);
  return { items: values['issues'], problems };
}

test('each Markdown file of a folder is an item, in the order of their names', async () => {
  const files = {
    'issues/10-last.md': 'No heading.\nMore.\n',
    'issues/2 first.md': '---\ntitle: Crash\nlabels: [bug]\nafter: [10-last]\n---\n\n# Ignored\n\nIt crashes.\n',
    'issues/3.md': 'Intro\n\n## A heading\n',
    'issues/.hidden.md': 'x',
    'issues/notes.txt': 'x',
  };
  expect(await read(files, 'issues')).toEqual({
    items: [
      { id: '2-first', title: 'Crash', labels: ['bug'], after: ['10-last'], text: '# Ignored\n\nIt crashes.' },
      { id: '3', title: 'A heading', text: 'Intro\n\n## A heading' },
      { id: '10-last', title: 'No heading.', text: 'No heading.\nMore.' },
    ],
    problems: [],
  });
});

const GH = [{ number: 7, title: 'Crash', body: 'It crashes.', labels: [{ name: 'bug' }] }];
const CRASH = { number: 7, body: 'It crashes.', labels: [{ name: 'bug' }], id: 7, title: 'Crash', text: 'It crashes.' };

test.each<[string, string, string, readonly unknown[]]>([
  ['gh issue list --json on standard input', '-', JSON.stringify(GH), [CRASH]],
  [
    'one issue on standard input',
    '-',
    '# Slow start\n\nIt takes 3 s.\n',
    [{ id: '1', title: 'Slow start', text: '# Slow start\n\nIt takes 3 s.' }],
  ],
  ['the same in a file', 'a.json', JSON.stringify(GH), [CRASH]],
  [
    'a list under a name',
    'a.yaml',
    'issues:\n  - { id: a, title: A, description: Do it. }\n',
    [{ id: 'a', title: 'A', description: 'Do it.', text: 'Do it.' }],
  ],
  [
    'a list of texts',
    'a.yml',
    '- Fix the parser\n- Fix the lexer\n',
    [
      { id: '1', title: 'Fix the parser', text: 'Fix the parser' },
      { id: '2', title: 'Fix the lexer', text: 'Fix the lexer' },
    ],
  ],
  [
    'one Markdown file, whose lists are its own',
    'crash.md',
    '---\nlabels: [bug]\n---\nIt crashes.\n',
    [{ id: 'crash', title: 'It crashes.', labels: ['bug'], text: 'It crashes.' }],
  ],
  ['no item at all', '-', '[]', []],
])('items from %s', async (_, issues, text, items) => {
  expect(await read(issues === '-' ? {} : { [issues]: text }, issues, text)).toEqual({ items, problems: [] });
});

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ['-', {}, ' \n', 'standard input is empty'],
  ['-', {}, '[{', 'standard input is not JSON'],
  ['issues', {}, '', 'the folder issues has no Markdown file'],
  ['issues', { 'issues/a.md': '---\ntitle: [\n---\n' }, '', 'issues/a.md:2:9: not valid YAML'],
  ['issues', { 'issues/a.md': '---\njust words\n---\n' }, '', 'issues/a.md:2:1: expected fields between the --- lines'],
  ['gone', {}, '', 'there is no file gone'],
])('%s with %j and %j is refused', async (issues, files, piped, problem) => {
  expect((await read(files, issues, piped)).problems).toEqual([expect.stringContaining(`the input "issues": ${problem}`)]);
});

test('what a run cannot keep is refused', async () => {
  expect((await read({ 'a.yaml': `- ${'x'.repeat(600_000)}\n` }, 'a.yaml')).problems).toEqual([
    'the input "issues": a.yaml cannot be read: it is larger than 524288 bytes',
  ]);
});

test('standard input is read once', async () => {
  const typed = { values: { issues: '-', more: '-' }, problems: [] };
  expect((await readFileInputs(INPUTS, typed, '.', async () => '[]')).problems).toEqual([
    'issues and more cannot both be read from standard input',
  ]);
});

test('the supervisor takes a list only', () => {
  expect(valueProblems(INPUTS, { issues: [] })).toEqual([]);
  expect(valueProblems(INPUTS, { issues: 'x' })).toEqual(['the input "issues" is missing or not a list of items']);
});
