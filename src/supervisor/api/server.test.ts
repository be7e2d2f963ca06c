import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ask, reachSupervisor } from './client.ts';
import { type Call, serveApi } from './server.ts';

/** A listening supervisor that answers with the result of the given function. */
async function listening(handle: (call: Call) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-api-'));
  const path = join(folder, 'api.sock');
  const server = await serveApi(path, '1', handle);
  const call = async (name: string) => {
    const socket = await reachSupervisor(path);
    if (socket === undefined) throw new Error('nobody listens');
    const answer = ask(socket, { version: '1', name, args: {}, say: () => undefined });
    return { socket, answer };
  };
  return {
    call,
    path,
    close: () => server.close(),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('a caller that disconnects while it is answered does not end the supervisor', async () => {
  const left = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<boolean>();
  await using supervisor = await listening(async ({ name, say, signal }) => {
    if (name === 'short') return 'done';
    say('begun');
    await left.promise;
    // Write before the socket has noticed that the caller no longer reads.
    say('still here');
    signal.addEventListener('abort', () => aborted.resolve(true));
    return 'too late';
  });
  const gone = await supervisor.call('long');
  // The caller's own side ends too, instead of waiting for an answer that cannot come.
  const ended = expect(gone.answer).rejects.toMatchObject({ code: 'SUPERVISOR_FAILED' });
  gone.socket.on('data', (data) => {
    if (!String(data).includes('begun')) return;
    gone.socket.destroy();
    left.resolve();
  });
  expect(await aborted.promise).toBe(true);
  await ended;
  const next = await supervisor.call('short');
  expect(await next.answer).toBe('done');
  next.socket.destroy();
});

test('a caller that connects and sends nothing does not keep the supervisor alive, and a caller that is being answered gets the answer', async () => {
  const asked = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<string>();
  await using supervisor = await listening(async () => {
    asked.resolve();
    return await stopped.promise;
  });
  const silent = await reachSupervisor(supervisor.path);
  const { socket, answer } = await supervisor.call('down');
  await asked.promise;
  const closed = supervisor.close();
  stopped.resolve('stopped');
  expect(await answer).toBe('stopped');
  socket.destroy();
  await closed;
  expect(silent).toBeDefined();
  silent?.destroy();
});

test.each([
  ['half a document', '{"version":"1","name"', 'the request is not a line of JSON'],
  ['no JSON at all', 'GET / HTTP/1.1', 'the request is not a line of JSON'],
  ['an empty line', '', 'the request is not a line of JSON'],
  ['another shape', '["1","status"]', 'the request does not have the fields "version" and "name", both text'],
  ['a field of another type', '{"version":1,"name":"status"}', 'the request does not have the fields "version" and "name", both text'],
])('a caller that sends %s gets an error, and the next caller is answered', async (_, line, problem) => {
  await using supervisor = await listening(async () => 'done');
  const socket = await reachSupervisor(supervisor.path);
  if (socket === undefined) throw new Error('nobody listens');
  socket.write(`${line}\n`);
  const replies = (await text(socket)).trimEnd().split('\n');
  expect(JSON.parse(replies.at(-1) ?? '')).toMatchObject({ error: { code: 'INVALID_ARGUMENT', message: problem } });
  const next = await supervisor.call('short');
  expect(await next.answer).toBe('done');
  next.socket.destroy();
});
