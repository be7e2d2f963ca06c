import { expect, test } from 'vitest';
import { claudeAgent } from './claude/adapter.ts';
import { codexAgent } from './codex/adapter.ts';

/** What no terminal program takes as it is. Each agent's own test has what only its box changes. */
const CHANGED = [
  ['a\r\nb\rc', 'a\nb\nc', 'line breaks made \\n'],
  ['a\u001b[31mred\u001b[0m', 'ared', 'escape sequences removed'],
  ['a\u001b]0;t\u0007b', 'ab', 'escape sequences removed'],
  ['a\u001b[201~b', 'ab', 'escape sequences removed'],
  ['a\u0001b\u007fc', 'abc', 'control characters removed'],
  ['a\ud83d', 'a\ufffd', 'half characters replaced'],
] as const;

const CASES = [claudeAgent, codexAgent].flatMap((agent) => CHANGED.map(([text, typed, change]) => ({ agent, text, typed, change })));

test.each(CASES)('$agent.name: $text is typed as $typed', ({ agent, text, typed, change }) => {
  expect(agent.makeSafe(text)).toMatchObject({ text: typed, changes: [change] });
});
