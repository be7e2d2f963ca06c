import { expect, test } from 'vitest';
import { defaultCommandOf, findAgent } from './registry.ts';

test('an adapter is found by its name, with the program it starts', () => {
  const agent = findAgent('demo');
  expect(agent.name).toBe('demo');
  expect(defaultCommandOf('demo')).toBe(agent.defaultCommand);
});

test('one that is not there is refused with the names of those that are', () => {
  expect(() => findAgent('nobody')).toThrow(expect.objectContaining({ code: 'AGENT_NOT_FOUND', hint: expect.stringContaining('demo') }));
  expect(defaultCommandOf('nobody')).toBeUndefined();
});
