import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAllowed, listenInside, listenOutside } from './allowed-hosts.ts';

test.each([
  ['api.example.com', 443, true],
  ['API.example.com.', 443, true],
  ['api.example.com', 80, false],
  ['api.example.com.evil.net', 443, false],
  ['evilapi.example.com', 443, false],
  ['a.cdn.net', 443, true],
  ['cdn.net', 443, false],
  ['evilcdn.net', 443, false],
  ['127.0.0.1', 8123, true],
  ['127.0.0.1', 8124, false],
  ['', 443, false],
] as const)('%s:%i is allowed: %s', (host, port, expected) => {
  expect(isAllowed(['api.example.com', '*.cdn.net', '127.0.0.1:8123'], host, port)).toBe(expected);
});

async function port(): Promise<number> {
  const server = createServer((_, answer) => answer.end('the API'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What the proxy on loopback answers to a request for this address: by CONNECT, or with the whole address. */
async function asked(proxy: number, host: string, how: 'connect' | 'whole'): Promise<string> {
  return await new Promise((done, failed) => {
    const path = how === 'connect' ? host : `http://${host}/`;
    const call = request({ host: '127.0.0.1', port: proxy, method: how === 'connect' ? 'CONNECT' : 'GET', path });
    call.on('connect', (answer, socket) => {
      if (answer.statusCode !== 200) done(`refused ${answer.statusCode}`);
      socket.on('data', (data) => done(data.toString().split('\r\n\r\n')[1] ?? ''));
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    call.on('response', (answer) => {
      answer.on('data', (data: Buffer) => done(answer.statusCode === 200 ? data.toString() : `refused ${answer.statusCode}`));
    });
    call.on('error', failed).end();
  });
}

test('only the allowed hosts can be reached through both sides', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-network-'));
  const [api, other] = [await port(), await port()];
  using _outside = await listenOutside(join(folder, 'net'), [`127.0.0.1:${api}`]);
  const proxy = await listenInside(join(folder, 'net'));
  for (const how of ['connect', 'whole'] as const) {
    expect(await asked(proxy, `127.0.0.1:${api}`, how)).toBe('the API');
    expect(await asked(proxy, `127.0.0.1:${other}`, how)).toBe('refused 403');
    expect(await asked(proxy, `localhost:${api}`, how)).toBe('refused 403');
  }
  rmSync(folder, { recursive: true });
});
