import { expect, test } from 'vitest';
import { lastUserText, parseRequest } from './api-request.ts';
import type { Step } from './api-steps.ts';
import { ScriptedApi } from './scripted-api.ts';

const main = { model: 'm', stream: true, tools: [{ name: 'Bash' }], messages: [{ role: 'user', content: 'hello' }] };

function post(api: ScriptedApi, body: object, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${api.urlFor('adam')}/v1/messages?beta=true`, { method: 'POST', body: JSON.stringify(body), signal });
}

const streamed = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);

test('answers in the scripted order, then with a default, and keeps every request', async () => {
  await using api = await ScriptedApi.start();
  api.script('adam', { kind: 'text', text: 'first' }, { kind: 'tool', name: 'Bash', input: { command: 'ls' }, text: 'look' });
  const first = await (await post(api, main)).text();
  expect(streamed(first)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(first).toContain('"text":"first"');
  const second = await (await post(api, main)).text();
  expect(second).toContain('"partial_json":"{\\"command\\":\\"ls\\"}"');
  expect(second).toContain('"stop_reason":"tool_use"');
  expect(await (await post(api, main)).text()).toContain('"text":"OK."');
  expect(api.requests('adam').map(({ body }) => lastUserText(body))).toEqual(['hello', 'hello', 'hello']);
  expect([api.requests('bea'), api.unused('adam')]).toEqual([[], 0]);
});

test('side requests and token counts take nothing from the script', async () => {
  await using api = await ScriptedApi.start();
  api.script('adam', { kind: 'text', text: 'kept' });
  expect((await post(api, { ...main, tools: [], stream: false })).status).toBe(200);
  const counted = await fetch(`${api.urlFor('adam')}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
  expect(await counted.json()).toEqual({ input_tokens: 1_000 });
  expect([api.unused('adam'), api.requests('adam').length]).toEqual([1, 0]);
});

test('an error has its status, headers and body', async () => {
  await using api = await ScriptedApi.start();
  api.script('adam', { kind: 'error', status: 429, type: 'rate_limit_error', message: 'slow down', headers: { 'retry-after': '3' } });
  const response = await post(api, main);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await response.json()).toEqual({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } });
});

test('a stream can end in an error', async () => {
  await using api = await ScriptedApi.start();
  api.script('adam', { kind: 'stream-error', type: 'overloaded_error', message: 'Overloaded', text: 'so far' });
  expect(streamed(await (await post(api, main)).text()).at(-1)).toBe('error');
});

test.each<[string, Step]>([
  ['broken off in the middle', { kind: 'cut', text: 'so far' }],
  ['reset at once', { kind: 'reset' }],
])('a connection can be %s', async (_, step) => {
  await using api = await ScriptedApi.start();
  api.script('adam', step);
  await expect(post(api, main).then((response) => response.text())).rejects.toThrow();
});

test('a stream can stall, a connection can hang, and closing the server ends both', async () => {
  const api = await ScriptedApi.start();
  api.script('adam', { kind: 'stall', text: 'so far' }, { kind: 'hang' });
  const stalled = await post(api, main);
  const reader = stalled.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('so far');
  const hanging = post(api, main);
  const refused = expect(hanging).rejects.toThrow();
  await expect.poll(() => api.requests('adam').length, { timeout: 120_000 }).toBe(2);
  await api[Symbol.asyncDispose]();
  await refused;
  await expect(reader?.read()).rejects.toThrow();
});

test('an answer waits for its signals', async () => {
  await using api = await ScriptedApi.start();
  const after = Promise.withResolvers<void>();
  api.script('adam', { kind: 'text', text: 'late', after: after.promise });
  let answered = false;
  const response = post(api, main).then((one) => {
    answered = true;
    return one.text();
  });
  await expect.poll(() => api.requests('adam').length, { timeout: 120_000 }).toBe(1);
  expect(answered).toBe(false);
  after.resolve();
  expect(await response).toContain('late');
});

test('the latest prompt is the last text block of the last user message', () => {
  const content = [
    { type: 'text', text: '<system-reminder>x</system-reminder>' },
    { type: 'text', text: 'do it' },
  ];
  const body = parseRequest(
    JSON.stringify({
      messages: [
        { role: 'user', content },
        { role: 'system', content: 'context' },
      ],
    }),
  );
  expect(lastUserText(body)).toBe('do it');
  expect(lastUserText(parseRequest(''))).toBeUndefined();
});
