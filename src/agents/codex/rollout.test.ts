import { describe, expect, test } from 'vitest';
import { promptsIn, rolloutPath, rolloutUsageReader } from './rollout.ts';

const ID = '01a1ddc3-f792-7961-a133-0dd63f36de4e';
const FILE = `rollout-2026-11-15T05-52-50-${ID}.jsonl`;
const lines = (...payloads: object[]) =>
  payloads.map((payload) => JSON.stringify({ timestamp: '2026-11-15T05:52:52.643Z', type: 'event_msg', payload })).join('\n');
const userText = (text: string) => ({
  type: 'item_completed',
  item: { type: 'UserMessage', client_id: 'x', content: [{ type: 'text', text, text_elements: [] }] },
});
const counted = (input: number, cached: number, last: number) => ({
  type: 'token_count',
  info: {
    total_token_usage: { input_tokens: input, cached_input_tokens: cached, cache_write_input_tokens: 4, output_tokens: 20 },
    last_token_usage: { input_tokens: last, cached_input_tokens: 0, cache_write_input_tokens: 0, output_tokens: 20 },
    model_context_window: 258_400,
  },
});

describe('its place', () => {
  const at = (folder: string) => (directory: string) => (directory === folder ? ['rollout-2026-11-15T00-00-00-other.jsonl', FILE] : []);

  test.each(['2026/11/15', '2026/11/14', '2026/11/16'])(
    'is found by its id in the folder of the day (%s), whatever zone the agent lives in',
    (day) => {
      const folder = `/c/sessions/${day}`;
      expect(rolloutPath({ CODEX_HOME: '/c' }, '/w', ID, at(folder))).toBe(`${folder}/${FILE}`);
    },
  );

  test('is under the home directory by default', () => {
    const folder = '/home/dev/.codex/sessions/2026/11/15';
    expect(rolloutPath({ HOME: '/home/dev' }, '/w', ID, at(folder))).toBe(`${folder}/${FILE}`);
  });

  test('is missing for a conversation that never began, and for an id that is not from Codex', () => {
    expect(rolloutPath({ CODEX_HOME: '/c' }, '/w', ID, () => [])).toBeUndefined();
    const any = () => ['rollout-x-11111111-2222-4333-8444-555555555555.jsonl'];
    expect(rolloutPath({ CODEX_HOME: '/c' }, '/w', '11111111-2222-4333-8444-555555555555', any)).toBeUndefined();
    expect(rolloutPath({ CODEX_HOME: '/c' }, '/w', '', any)).toBeUndefined();
  });
});

describe('its contents', () => {
  test('the prompts with their times, and nothing else', () => {
    const text = lines(
      { type: 'task_started' },
      userText('first'),
      { type: 'item_completed', item: { type: 'AgentMessage', content: [{ type: 'text', text: 'reply' }] } },
      userText('second\nline'),
    );
    const at = Date.parse('2026-11-15T05:52:52.643Z');
    expect(promptsIn(text)).toEqual([
      { text: 'first', at },
      { text: 'second\nline', at },
    ]);
  });

  test('a prompt that only the model has got yet: Codex can be killed before it reports it', () => {
    const message = (role: string, type: string) => ({ type: 'message', role, content: [{ type, text: 'killed now' }] });
    const texts = promptsIn(lines(message('user', 'input_text'), message('assistant', 'output_text'))).map(({ text }) => text);
    expect(texts).toEqual(['killed now']);
  });

  test('a line that is still being written, or has another shape, is ignored', () => {
    expect(promptsIn(`${lines(userText('whole'))}\n{"timestamp":"2026`)).toHaveLength(1);
    expect(promptsIn('null\n[]\n{}\n{"payload":null}\n')).toEqual([]);
  });

  const usageIn = (...parts: readonly string[]) => {
    const reader = rolloutUsageReader();
    for (const part of parts) reader.feed(part);
    return reader.usage();
  };

  test('the last count of tokens, with cached tokens counted separately', () => {
    const text = lines(counted(100, 7, 100), counted(300, 107, 200), { type: 'token_count', info: null });
    expect(usageIn(text)).toEqual({
      inputTokens: 193,
      outputTokens: 20,
      cacheReadTokens: 107,
      cacheWriteTokens: 4,
      contextTokens: 200,
      contextWindow: 258_400,
    });
    expect(usageIn(...text.split('\n')), 'a line at a time').toEqual(usageIn(text));
    expect(usageIn(lines(userText('x')))).toBeUndefined();
  });
});
