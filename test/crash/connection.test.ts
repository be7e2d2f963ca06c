import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, reachSupervisor } from '../../src/supervisor/api/client.ts';
import { PROTOCOL } from '../../src/supervisor/api/meet-version.ts';
import { scratchFolder } from '../repo/scratch.ts';
import { crashWorld } from './world.ts';

const { version: VERSION }: { version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

function greet(socket: Socket): Socket {
  socket.write(`${JSON.stringify({ hello: 1, version: VERSION, protocol: PROTOCOL })}\n`);
  return socket;
}

/** What a command receives from a supervisor that is killed at this point of the conversation. */
const DEATHS: readonly [string, (socket: Socket) => void][] = [
  ['before it greeted', (socket) => socket.destroy()],
  ['before it read the request', (socket) => greet(socket).destroySoon()],
  ['before it answered', (socket) => greet(socket).once('data', () => socket.destroy())],
  ['in the middle of a line', (socket) => greet(socket).once('data', () => socket.end('{"result":{"wor'))],
  ['between progress and answer', (socket) => greet(socket).once('data', () => socket.end('{"say":"Rebasing"}\n'))],
];

test.for(DEATHS)('a command whose supervisor dies %s reports it and says what to type', async ([, die]) => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'api.sock');
  const server = createServer((socket) => die(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    const socket = await reachSupervisor(path);
    if (socket === undefined) throw new Error('no supervisor accepts connections');
    const asked = ask(socket, { version: VERSION, name: 'start', args: { prompt: 'x'.repeat(1_000_000) }, say: () => undefined });
    await expect(asked).rejects.toMatchObject({ code: 'SUPERVISOR_FAILED', hint: expect.stringContaining('llmc up --detach') });
  } finally {
    server.close();
  }
});

test('reachSupervisor returns undefined when the socket is missing or left over from a dead supervisor', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'api.sock');
  expect(await reachSupervisor(path)).toBeUndefined();
  const dies = "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  expect(spawnSync(process.execPath, ['-e', dies, path])).toMatchObject({ signal: 'SIGKILL' });
  expect(existsSync(path)).toBe(true);
  expect(await reachSupervisor(path)).toBeUndefined();
});

test.for([
  ['status', { supervisor: { running: false }, workers: [{ name: 'adam', status: 'offline' }] }],
  ['why', { worker: { name: 'adam' }, assessment: null }],
] as const)('llmc %s, whose supervisor dies before it answers, shows the state on disk', async ([verb, out], { signal }) => {
  await using world = await crashWorld(['adam'], signal);
  const { apiSocket } = world.layout;
  mkdirSync(dirname(apiSocket), { recursive: true });
  const dying = createServer((socket) => {
    greet(socket.on('error', () => undefined)).once('data', () => socket.destroy());
    dying.close();
  });
  await new Promise<void>((resolve) => dying.listen(apiSocket, resolve));
  expect(await world.llmc([verb, ...(verb === 'why' ? ['adam'] : [])])).toMatchObject({ status: 0, out });
});
