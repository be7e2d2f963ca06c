import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type LoopbackRequest, serveLoopback } from './loopback.ts';

test('answers what it is told to, and is gone afterwards', async () => {
  const heard: LoopbackRequest[] = [];
  const server = await serveLoopback(async (request) => {
    heard.push(request);
    return { status: 201, type: 'application/json', body: '{"a":1}' };
  });
  const response = await fetch(`${server.url}/v1/x?y=1`, { method: 'POST', body: 'é' });
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([201, 'application/json', { a: 1 }]);
  expect(heard).toEqual([{ method: 'POST', path: '/v1/x', body: 'é' }]);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await server[Symbol.asyncDispose]();
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

test('a request held back does not keep it from closing', async () => {
  const arrived = Promise.withResolvers<void>();
  const server = await serveLoopback(async () => {
    arrived.resolve();
    return await new Promise(() => undefined);
  });
  const asked = fetch(server.url).catch(() => 'cut off');
  await arrived.promise;
  await server[Symbol.asyncDispose]();
  expect(await asked).toBe('cut off');
});

test('garbage and an answer that fails break one connection only', async () => {
  await using server = await serveLoopback(async ({ path }) => {
    if (path === '/bad') throw new Error('no');
    return { status: 200, type: 'application/json', body: '{}' };
  });
  const closed = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write('\0\0garbage\r\n\r\n'));
  socket.once('close', () => closed.resolve()).resume();
  await closed.promise;
  await expect(fetch(`${server.url}/bad`)).rejects.toThrow('fetch failed');
  expect((await fetch(server.url)).status).toBe(200);
});
