import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import type { Plan } from '../definition/plan.ts';
import { valueProblems } from './check-values.ts';
import { readFileInputs } from './file-inputs.ts';

const INPUTS: Plan['inputs'] = {
  epic: { type: 'file', oneOf: [], optional: false },
  task: { type: 'text', oneOf: [], optional: true },
};

test.each<[string, string, unknown]>([
  ['epic.yaml', 'stories: [{ id: s1 }]\n', { stories: [{ id: 's1' }] }],
  ['epic.json', '{"stories": []}', { stories: [] }],
  ['epic.md', '# Epic\n', '# Epic\n'],
  ['head.md', '---\nstories: [{ id: s1 }]\n---\n\n# Epic\n', { stories: [{ id: 's1' }], text: '# Epic' }],
  ['windows.md', '---\r\na: 1\r\n---\r\n', { a: 1, text: '' }],
  ['ruler.md', '---\nA text\n', '---\nA text\n'],
])('the content of %s is the value', async (name, text, value) => {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.path, name), text);
  const typed = { values: { epic: name, task: 'epic.md' }, problems: [] };
  expect(await readFileInputs(INPUTS, typed, scratch.path)).toEqual({ values: { epic: value, task: 'epic.md' }, problems: [] });
});

test.each<[string, string | undefined, string]>([
  ['gone.yaml', undefined, 'there is no file gone.yaml'],
  ['bad.yaml', 'a: [1\n', 'bad.yaml:2:1: not valid YAML'],
  ['bad.json', '{', 'bad.json is not JSON'],
  ['bad.md', '---\na: [1\n---\n', 'bad.md:2:6: not valid YAML'],
  ['folder', '', 'folder cannot be read: it is not a plain file'],
])('%s is refused', async (name, text, problem) => {
  using scratch = scratchFolder();
  if (name === 'folder') mkdirSync(join(scratch.path, name));
  else if (text !== undefined) writeFileSync(join(scratch.path, name), text);
  const { problems } = await readFileInputs(INPUTS, { values: { epic: name }, problems: ['before'] }, scratch.path);
  expect(problems).toEqual(['before', expect.stringContaining(`the input "epic": ${problem}`)]);
});

test.each<[Readonly<Record<string, unknown>>, readonly string[]]>([
  [{ epic: { a: 1 }, task: 'x' }, []],
  [{ task: 'x' }, ['the input "epic" is missing or not a file']],
  [{ epic: '', task: 3, other: 1 }, ['there is no input "other"', 'the input "task" is missing or not a text']],
])('the supervisor checks %j', (values, problems) => {
  expect(valueProblems(INPUTS, values)).toEqual(problems);
});
