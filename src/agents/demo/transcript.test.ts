import { expect, test } from 'vitest';
import { promptsIn, transcript } from './transcript.ts';

test('the memory of a conversation is in the folder of the worker', () => {
  expect(transcript.path({ LLMC_SCRATCH: '/s' }, '/w', 'c-1', () => [])).toBe('/s/conversations/c-1.jsonl');
});

test('it has the prompts that began or continued a turn; a line that a crash cut off is ignored', () => {
  const facts = [
    { type: 'start', id: 'c-1', used: [] },
    { type: 'entry', entry: { kind: 'prompt', text: 'first' } },
    { type: 'turn', turn: null, prompt: 'first', at: 1 },
    { type: 'go_on', prompt: 'continue', at: 2 },
    { type: 'end' },
  ];
  expect(promptsIn(`${facts.map((fact) => JSON.stringify(fact)).join('\n')}\n{"type":"turn","prompt":"th`)).toEqual([
    { text: 'first', at: 1 },
    { text: 'continue', at: 2 },
  ]);
});
