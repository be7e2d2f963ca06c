import { expect, test } from 'vitest';
import { usageLimit } from './responses-steps.ts';
import { ScriptedResponses } from './scripted-responses.ts';

const userMessage = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

function post(api: ScriptedResponses, worker: string, ...input: readonly object[]): Promise<Response> {
  return fetch(`${api.urlFor(worker)}/responses`, { method: 'POST', body: JSON.stringify({ model: 'm', input }) });
}

test('each worker has its own queue, and the API tells prompts from the results of tools', async () => {
  await using api = await ScriptedResponses.start();
  api.script('adam', { kind: 'tool', name: 'exec_command', input: { cmd: 'true' } }, { kind: 'text', text: 'Done.' });
  expect(await (await post(api, 'adam', userMessage('do it'))).text()).toContain('"name":"exec_command"');
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'fine' };
  expect(await (await post(api, 'adam', userMessage('do it'), result)).text()).toContain('"delta":"Done."');
  expect(await (await post(api, 'eve', userMessage('hello'))).text()).toContain('"delta":"OK."');
  expect(api.received('adam')).toEqual(['do it']);
  expect(api.requests('adam')).toHaveLength(2);
  expect(api.unused('adam')).toBe(0);
});

test('a request for a title takes nothing from the script', async () => {
  await using api = await ScriptedResponses.start();
  api.script('adam', { kind: 'text', text: 'For the prompt.' });
  const title = await post(api, 'adam', userMessage('Generate a concise, single-line task title for this: do it'));
  expect(await title.text()).not.toContain('For the prompt.');
  expect(api.requests('adam')).toEqual([]);
  expect(api.unused('adam')).toBe(1);
});

test('errors come with their status, streams fail and break on demand', async () => {
  await using api = await ScriptedResponses.start();
  api.script(
    'adam',
    usageLimit(1_800_000_000),
    { kind: 'failed', code: 'server_is_overloaded', message: 'busy' },
    { kind: 'cut', text: 'ha' },
  );
  const limited = await post(api, 'adam', userMessage('one'));
  expect(limited.status).toBe(429);
  expect(await limited.json()).toMatchObject({ error: { type: 'usage_limit_reached', resets_at: 1_800_000_000 } });
  expect(await (await post(api, 'adam', userMessage('two'))).text()).toContain('"code":"server_is_overloaded"');
  await expect(post(api, 'adam', userMessage('three')).then((response) => response.text())).rejects.toThrow();
  expect((await fetch(`${api.urlFor('adam')}/models`)).status).toBe(404);
});
