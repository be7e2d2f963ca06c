import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { taskPrompt } from '../../workers/prompt/prompts.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { lastConversation } from './last-conversation.ts';

/** Files of the demo agent, the oldest first. */
function conversations(files: readonly (readonly [string, string])[]) {
  const scratch = scratchStore(aState(aWorker()));
  const worker = scratch.open().worker('adam');
  const folder = join(scratch.layout.scratch('adam'), 'conversations');
  mkdirSync(folder, { recursive: true });
  for (const [index, [name, text]] of files.entries()) {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), 1_000 + index, 1_000 + index);
  }
  return { found: lastConversation(systemFiles, worker, aConfig()), [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

const turn = (prompt: string): string => `${JSON.stringify({ type: 'turn', prompt, at: 1 })}\n`;

test.each<[string, readonly (readonly [string, string])[], object | undefined]>([
  ['none', [], undefined],
  [
    'two: the newest, with its first prompt',
    [
      ['a.jsonl', turn('Old.')],
      ['b.jsonl', turn('Do it.') + turn('And this.')],
    ],
    { id: 'b', task: 'Do it.' },
  ],
  [
    'a newer one without a prompt',
    [
      ['a.jsonl', turn('Old.')],
      ['b.jsonl', ''],
    ],
    { id: 'a', task: 'Old.' },
  ],
  [
    'a newer one that is not a conversation',
    [
      ['a.jsonl', turn('Old.')],
      ['b.txt', turn('x')],
    ],
    { id: 'a', task: 'Old.' },
  ],
  [
    'a newer one whose name is an argument',
    [
      ['a.jsonl', turn('Old.')],
      ['--print.jsonl', turn('x')],
    ],
    { id: 'a', task: 'Old.' },
  ],
  [
    'one with the instructions of llmc before the task',
    [['a.jsonl', turn(taskPrompt(aWorker(), '/root', aConfig(), 'Do it.\n\n## Task\n\nNo heading.'))]],
    { id: 'a', task: 'Do it.\n\n## Task\n\nNo heading.' },
  ],
  [
    'one with a heading of the user',
    [['a.jsonl', turn('Read this.\n## Task\n\nDo it.')]],
    { id: 'a', task: 'Read this.\n## Task\n\nDo it.' },
  ],
  [
    'garbage',
    [
      ['a.jsonl', '{"type":'],
      ['b.jsonl', 'x'],
    ],
    undefined,
  ],
])('the last conversation of %s', (_, files, expected) => {
  using scratch = conversations(files);
  expect(scratch.found).toEqual(expected);
});

test('of a conversation with a prompt that would fill state.json, the task is its beginning', () => {
  using scratch = conversations([['a.jsonl', turn(`Do it.${'x'.repeat(2_000_000)}`)]]);
  expect(scratch.found?.task).toHaveLength(256 * 1024);
  expect(scratch.found?.task).toMatch(/^Do it\./);
});

test('of many conversations without a prompt, only the newest are read', () => {
  using scratch = conversations([['a.jsonl', turn('Old.')], ...Array.from({ length: 50 }, (_, index) => [`b${index}.jsonl`, ''] as const)]);
  expect(scratch.found).toBeUndefined();
});

test('a newest conversation that is too large to read is not replaced by an older one, whose task is another', () => {
  using scratch = conversations([
    ['a.jsonl', turn('Old.')],
    ['b.jsonl', turn('x'.repeat(65 * 1024 * 1024))],
  ]);
  expect(scratch.found).toBeUndefined();
});
