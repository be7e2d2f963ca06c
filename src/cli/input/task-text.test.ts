import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeLayout } from '../../store/layout.ts';
import { Input } from '../verb.ts';
import { taskOperands } from './task-text.ts';

const root = mkdtempSync(join(tmpdir(), 'llmc-operands-'));
for (const worker of ['adam', 'fix']) mkdirSync(join(root, '.worktrees', worker), { recursive: true });
afterAll(() => rmSync(root, { recursive: true }));

const read = (args: readonly string[], options = {}) => taskOperands(new Input(args, options), { layout: makeLayout(root) });

test.each<[string, readonly string[], object, object]>([
  ['nothing', [], {}, { worker: undefined, task: undefined }],
  ['a task', ['Fix the typo'], {}, { worker: undefined, task: 'Fix the typo' }],
  ['a task of one word', ['refactor'], {}, { worker: undefined, task: 'refactor' }],
  ['standard input', ['-'], { worker: 'adam' }, { worker: 'adam', task: '-' }],
  ['a worker and a task', ['adam', 'Fix the typo'], {}, { worker: 'adam', task: 'Fix the typo' }],
  ['a worker and standard input', ['adam', '-'], {}, { worker: 'adam', task: '-' }],
  // The supervisor knows who is a worker, and refuses with their names.
  ['a name that no worker has', ['bob', 'Fix the typo'], {}, { worker: 'bob', task: 'Fix the typo' }],
  ['a worker, with the task in a file', ['adam'], { promptFile: 'task.md' }, { worker: 'adam', task: undefined }],
  ['the same worker twice', ['adam', 'Fix the typo'], { worker: 'adam' }, { worker: 'adam', task: 'Fix the typo' }],
])('%s', (_, args, options, expected) => {
  expect(read(args, options)).toEqual(expected);
});

test.each<[string, readonly string[], object, object]>([
  ['a task without quotes', ['Fix', 'the', 'typo'], {}, { message: 'the text is 3 words: put it in quotes', from: 0 }],
  ['two words of a task', ['Fix', 'it'], {}, { from: 0 }],
  ['a worker and a task without quotes', ['adam', 'Fix', 'it'], {}, { message: 'the text is 2 words: put it in quotes', from: 1 }],
  // "fix" is a worker here, and may be the first word of the task too.
  [
    'two words that may be a worker and a task',
    ['fix', 'it'],
    {},
    {
      message: '"fix" is a worker, and may be the first word of the task too',
      hint: "llmc start --worker fix it, or llmc start --prompt 'fix it'",
    },
  ],
  [
    'the worker behind the task',
    ['Fix the typo', 'adam'],
    {},
    { message: 'the worker comes before the task', hint: "llmc start adam 'Fix the typo'" },
  ],
  ['a text in two parts', ['Fix it', 'and test it'], {}, { from: 0 }],
  ['a worker without a task', ['adam'], {}, { message: '"adam" is a worker, not a task', hint: "llmc start adam '…'" }],
  [
    'two workers, with the task in a file',
    ['adam'],
    { worker: 'fix', promptFile: 'a' },
    { message: 'two workers are named: adam and fix' },
  ],
  ['two workers', ['adam', 'Fix it now'], { worker: 'fix' }, { message: 'two workers are named: adam and fix' }],
])('refuses %s', (_, args, options, expected) => {
  expect(() => read(args, options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', ...expected }));
});
