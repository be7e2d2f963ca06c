import { describe, expect, test } from 'vitest';
import type { DemoApi } from './demo-api.ts';
import { messagesApi } from './messages-api.ts';
import { responsesApi } from './responses-api.ts';

const post = (api: DemoApi, path: string, body: unknown) => api({ method: 'POST', path, body: JSON.stringify(body) });
const events = (body: string) =>
  [...body.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, name, data]) => [name, JSON.parse(data ?? '').type]);

describe('the demo Messages API', () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'first' }] },
    { role: 'assistant', content: 'x' },
    { role: 'user', content: [{ type: 'tool_result' }, { type: 'text', text: 'last' }] },
  ];

  test('treats a request with tools as a prompt, and streams its answer', () => {
    const { prompt, answer } = post(messagesApi, '/v1/messages', { model: 'm', stream: true, tools: [{}], messages });
    expect(prompt).toBe('last');
    expect(answer).toMatchObject({ status: 200, type: 'text/event-stream' });
    const all = events(answer.body);
    expect(all.every(([name, type]) => name === type)).toBe(true);
    expect([all[0]?.[0], all.at(-1)?.[0]]).toEqual(['message_start', 'message_stop']);
    expect(answer.body).toContain('"text":"OK."');
  });

  test('answers anything else at once', () => {
    const side = post(messagesApi, '/v1/messages', { messages: [{ role: 'user', content: 'title?' }] });
    expect(side).toMatchObject({ answer: { status: 200, type: 'application/json' } });
    expect(side.prompt).toBeUndefined();
    expect(post(messagesApi, '/v1/messages/count_tokens', {}).answer.status).toBe(200);
    expect(post(messagesApi, '/v1/elsewhere', {})).toMatchObject({ answer: { status: 404 } });
  });

  test.each(['', '{', 'null', '[]', '{"messages":3,"tools":"x"}'])('bears %j', (body) => {
    expect(messagesApi({ method: 'POST', path: '/v1/messages', body })).toMatchObject({ answer: { status: 200 } });
  });
});

describe('the demo Responses API', () => {
  const input = (...texts: string[]) => texts.map((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }));

  test('treats the last text of the user as the prompt, and streams its answer', () => {
    const { prompt, answer } = post(responsesApi, '/v1/responses', { input: [...input('context', 'the prompt'), { type: 'reasoning' }] });
    expect(prompt).toBe('the prompt');
    const all = events(answer.body);
    expect([all[0]?.[0], all.at(-1)?.[0]]).toEqual(['response.created', 'response.completed']);
  });

  test('does not treat the request for a title as a prompt', () => {
    expect(
      post(responsesApi, '/v1/responses', { input: input('Generate a concise, single-line task title for: x') }).prompt,
    ).toBeUndefined();
    expect(post(responsesApi, '/v1/models', {}).answer.status).toBe(404);
  });

  test.each(['', '{', 'null', '{"input":3}'])('bears %j', (body) => {
    expect(responsesApi({ method: 'POST', path: '/v1/responses', body })).toMatchObject({ prompt: '', answer: { status: 200 } });
  });
});
