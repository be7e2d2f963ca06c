import { describe, expect, test } from 'vitest';
import { aConfig, aWorker } from '../samples.ts';
import { afterLimitPrompt, continuePrompt, feedbackIn, feedbackPrompt, TASK_HEADING, taskPrompt } from './prompts.ts';

describe('a task', () => {
  const config = aConfig('');
  const prompt = taskPrompt(aWorker(), '/root', config, 'Fix the typo\nin README.md\n');

  test('says where the agent works, what it must leave behind and what not to do', () => {
    const [where, root] = prompt.split('\n');
    expect([where, root]).toEqual(['You are working in: /root/.worktrees/adam', 'Repository root: /root']);
    for (const rule of [/AGENTS\.md or CLAUDE\.md/, /single commit with a detailed message/, /Do not push/]) expect(prompt).toMatch(rule);
  });

  test('asks for what it is expected to leave behind', () => {
    const asks = (expects: 'artifact' | 'answer') => taskPrompt(aWorker({ expects }), '/root', config, 'Find out');
    expect(asks('answer')).toMatch(/answer in your last message/);
    expect(asks('artifact')).toMatch(/write what the task asks for/);
    for (const expects of ['artifact', 'answer'] as const) {
      expect(asks(expects)).not.toContain('make a single commit');
      expect(continuePrompt(expects)).not.toContain('with a commit');
      expect(afterLimitPrompt(expects)).not.toContain('with a commit');
    }
  });

  test('ends with the user’s own words, unchanged', () => {
    expect(prompt.slice(prompt.indexOf(TASK_HEADING))).toBe('## Task\n\nFix the typo\nin README.md\n');
  });

  test('names the checks to pass, formatting first, and none where there are none', () => {
    const checked = { ...config, repo: { ...config.repo, format: ['npm run format'], validate: ['npm test', 'npm run lint'] } };
    expect(taskPrompt(aWorker(), '/root', checked, 'x')).toContain('make them pass: `npm run format`, `npm test`, `npm run lint`');
    expect(prompt).not.toContain('make them pass');
  });

  test('does not begin with anything an agent would take for a command', () => {
    expect(taskPrompt(aWorker(), '/root', config, '/clear')).toMatch(/^You are/);
  });
});

test('feedback holds what was said, where, and what it was about', () => {
  const notes = [
    { at: 'a.ts:1', text: 'Off by one' },
    { at: 'b.ts:2', text: 'Why?' },
  ];
  const text = feedbackPrompt('Handle the empty list.', ' a.ts | 2 +-', notes);
  expect(text).toContain(
    '## Feedback\n\nHandle the empty list.\n\nAt a.ts:1: Off by one\n\nAt b.ts:2: Why?\n\n## What was reviewed\n\n a.ts | 2 +-',
  );
  expect(text).not.toMatch(/\n$/);
});

test.each<[string, string, string]>([
  ['the words', 'Handle the empty list.', 'Handle the empty list.\n\nAt a.ts:1: Off by one'],
  [
    'words with the same headings',
    'A\n\n## What was reviewed\n\nB\n## Feedback\n\nC',
    'A\n\n## What was reviewed\n\nB\n## Feedback\n\nC\n\nAt a.ts:1: Off by one',
  ],
])('%s of feedback are found again in its prompt', (_, feedback, expected) => {
  const notes = [{ at: 'a.ts:1', text: 'Off by one' }];
  expect(feedbackIn(feedbackPrompt(feedback, ' a.md | 2 +-\n\n```diff\n+## What was reviewed\n+\n```', notes))).toBe(expected);
  expect(feedbackIn(feedbackPrompt(feedback, '', notes))).toBe(expected);
});

test.each(['Fix it', 'A\n\n## What was reviewed\n\nB', 'A\n## Feedback\n\nB'])(
  'a prompt that is not feedback stays as it is: %j',
  (text) => {
    expect(feedbackIn(text)).toBe(text);
  },
);
