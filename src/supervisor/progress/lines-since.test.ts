import { expect, test } from 'vitest';
import { linesSince } from './lines-since.ts';

const PROMPT = 'You work in /w.\nWhy is the build slow today?';

test.each<[string, readonly string[], string, readonly string[]]>([
  ['the answer', ['any> You work in /w. Why is the', 'build slow today?', 'It is cold.', 'any>'], PROMPT, ['It is cold.', 'any>']],
  ['the answer below a frame', ['│ > Why is the build slow │', '│   today?                │', 'It is cold.'], PROMPT, ['It is cold.']],
  [
    'an answer that quotes the prompt',
    ['Why is the build slow today?', 'You ask: Why is the build slow today?', 'So.'],
    PROMPT,
    ['You ask: Why is the build slow today?', 'So.'],
  ],
  ['everything, where the prompt is not shown', ['any>', 'It is cold.'], PROMPT, ['any>', 'It is cold.']],
  [
    'everything, where nothing is below the prompt',
    ['It is cold.', '> Why is the build slow today?', ''],
    PROMPT,
    ['It is cold.', '> Why is the build slow today?', ''],
  ],
  ['everything, where the prompt is too short to be found', ['why', 'It is cold.'], 'why', ['why', 'It is cold.']],
])('an answer on the screen is %s', (_, lines, prompt, shown) => {
  expect(linesSince(lines, prompt)).toEqual(shown);
});
