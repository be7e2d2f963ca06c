import { describe, expect, test } from 'vitest';
import { conversationPath, promptsIn } from './transcript.ts';
import { claudeUsageReader } from './usage.ts';

const lines = (...entries: object[]) => entries.map((entry) => JSON.stringify(entry)).join('\n');
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  timestamp: '2026-11-15T03:00:00.500Z',
  message: { role: 'user', content },
  ...more,
});
const assistant = (id: string, usage: object, more: object = {}) => ({
  type: 'assistant',
  message: { id, role: 'assistant', content: [], usage },
  ...more,
});

describe('the transcript', () => {
  test('is found by the working directory and the conversation', () => {
    expect(conversationPath({ CLAUDE_CONFIG_DIR: '/c' }, '/home/dev/my llmc/.worktrees/a_b-c', 'id')).toBe(
      '/c/projects/-home-dev-my-llmc--worktrees-a-b-c/id.jsonl',
    );
  });

  test('holds the prompts of the person, also queued ones and those with attachments', () => {
    const text = lines(
      user('first'),
      user([
        { type: 'text', text: '<system-reminder>x</system-reminder>' },
        { type: 'text', text: 'second' },
      ]),
      { type: 'queue-operation', operation: 'enqueue', timestamp: '2026-11-15T03:00:01Z', content: 'third' },
      { type: 'queue-operation', operation: 'dequeue', timestamp: '2026-11-15T03:00:02Z' },
      { type: 'attachment', timestamp: '2026-11-15T03:00:02Z', attachment: { type: 'queued_command', prompt: 'third' } },
      { type: 'attachment', timestamp: '2026-11-15T03:00:02Z', attachment: { type: 'todo', content: [] } },
    );
    expect(promptsIn(text)).toEqual([
      { text: 'first', at: Date.parse('2026-11-15T03:00:00.500Z') },
      { text: 'second', at: Date.parse('2026-11-15T03:00:00.500Z') },
      { text: 'third', at: Date.parse('2026-11-15T03:00:01Z'), waiting: true },
      { text: 'third', at: Date.parse('2026-11-15T03:00:02Z') },
    ]);
  });

  test('tool results, notes of the CLI and side conversations are not prompts', () => {
    const text = lines(
      user([{ type: 'tool_result', content: 'x' }]),
      user('meta', { isMeta: true }),
      user('side', { isSidechain: true }),
      assistant('m1', {}),
      { type: 'mode', mode: 'normal' },
    );
    expect(promptsIn(text)).toEqual([]);
  });

  test('a line still being written is left out', () => {
    expect(promptsIn(`${lines(user('whole'))}\n{"type":"user","mess`)).toHaveLength(1);
  });
});

function usageIn(...parts: readonly string[]) {
  const reader = claudeUsageReader();
  for (const part of parts) reader.feed(part);
  return reader.usage();
}

describe('usage', () => {
  test('counts each reply once, and the context of the latest', () => {
    const first = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 50 };
    const second = { ...first, input_tokens: 10, output_tokens: 5 };
    const text = lines(
      assistant('m1', first),
      assistant('m1', first),
      assistant('m2', second),
      assistant('m3', first, { isSidechain: true }),
    );
    const sum = {
      inputTokens: 210,
      outputTokens: 45,
      cacheReadTokens: 3_000,
      cacheWriteTokens: 150,
      contextTokens: 1_060,
      contextWindow: null,
    };
    expect(usageIn(text)).toEqual(sum);
    expect(usageIn(...text.split('\n')), 'a line at a time').toEqual(sum);
    expect(usageIn(lines(user('x')))).toBeUndefined();
  });

  test('of more replies than are kept apart is still the sum', () => {
    const count = 3_000;
    const text = lines(...Array.from({ length: count }, (_, index) => assistant(`m${index}`, { input_tokens: 1, output_tokens: 2 })));
    expect(usageIn(text, text.split('\n').slice(-2).join('\n'))).toMatchObject({ inputTokens: count, outputTokens: 2 * count });
  });
});
