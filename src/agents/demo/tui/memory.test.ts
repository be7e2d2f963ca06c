import { expect, test } from 'vitest';
import type { Fact } from './fact.ts';
import { Memory } from './memory.ts';

test('a prompt and its turn are written at once, with the start of the conversation before the first', () => {
  const written: (readonly Fact[])[] = [];
  const memory = new Memory((_, facts) => written.push(facts), 'c-1', undefined);
  const prompt = (text: string): Fact[] => [
    { type: 'entry', entry: { kind: 'prompt', text } },
    { type: 'turn', turn: null, prompt: text, at: 1, files: [] },
  ];
  memory.note({ type: 'entry', entry: { kind: 'said', text: 'before any prompt' } });
  memory.note(...prompt('one'));
  memory.note({ type: 'end' });
  memory.note(...prompt('two'));
  expect(written).toEqual([[{ type: 'start', id: 'c-1', used: [] }, ...prompt('one')], [{ type: 'end' }], prompt('two')]);
  expect(memory.past.open).toMatchObject({ prompt: 'two' });
});
