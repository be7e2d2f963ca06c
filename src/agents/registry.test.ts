import { expect, test } from 'vitest';
import { findAgent, findDefaultCommand } from './registry.ts';

test('an adapter is found by its name, with the program it starts', () => {
  const agent = findAgent('demo');
  expect(agent.name).toBe('demo');
  expect(findDefaultCommand('demo')).toBe(agent.defaultCommand);
});

test('an unknown adapter is refused with the names of the known ones', () => {
  expect(() => findAgent('nobody')).toThrow(expect.objectContaining({ code: 'AGENT_NOT_FOUND', hint: expect.stringContaining('demo') }));
  expect(findDefaultCommand('nobody')).toBeUndefined();
});
