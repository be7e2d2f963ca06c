import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { until } from '../../test/support/scratch-tmux.ts';
import type { ConnectMessages } from '../base/ports.ts';
import { systemClock } from '../system/clock.ts';
import { connectMessages } from '../system/message-socket.ts';
import type { Activity } from './activity.ts';
import { Channel } from './channel.ts';
import type { Dialogue } from './protocol.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'llmc-channel-'));
  path = join(directory, 's');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Echoes every word, in capitals; `bye` ends the connection. */
async function anEcho(): Promise<Server> {
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('message', (data) => (String(data) === 'bye' ? socket.terminate() : socket.send(String(data).toUpperCase())));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

/** Says hello, turns messages into events, and answers PING with pong. */
function aDialogue(): Dialogue {
  let live: Activity | undefined;
  return {
    hello: () => ['hello'],
    receive: (message) => {
      live = { kind: message === 'WORK' ? 'processing' : 'ready' };
      return { send: message === 'PING' ? ['pong'] : [], events: [{ id: message, name: message, event: { kind: 'ready' } }] };
    },
    conversationId: null,
    problem: undefined,
    hasLost: false,
    timesRead: 0,
    fateOf: () => 'unknown',
    get live() {
      return live;
    },
    prompt: () => undefined,
    readAgain: () => undefined,
    interrupt: () => undefined,
    answer: () => undefined,
    startOver: () => undefined,
  };
}

test('sends and receives messages in order, and sends its replies at once', async () => {
  const server = await anEcho();
  let news = 0;
  const channel = new Channel(connectMessages, path, aDialogue(), systemClock, () => (news += 1));
  expect(channel.say('too early')).toBe(false);
  await until('the greeting to come back', async () => news > 0);
  const long = 'x'.repeat(1_000_000);
  expect([channel.say('ping'), channel.say(long), channel.say('work'), channel.say(undefined)]).toEqual([true, true, true, false]);
  await until('the answer to the answer', async () => news === 5);
  const received = channel.takeEvents().map(({ id }) => id);
  expect(received.toSorted()).toEqual(['HELLO', 'PING', 'PONG', 'WORK', long.toUpperCase()].toSorted());
  expect(received.slice(0, 2)).toEqual(['HELLO', 'PING']);
  expect(channel.takeEvents()).toEqual([]);
  channel.close();
  server.close();
});

test('reports its end once, and sends nothing afterwards', async () => {
  const server = await anEcho();
  const channel = new Channel(connectMessages, path, aDialogue(), systemClock, () => undefined);
  await until('it to open', async () => channel.openedAt !== undefined);
  channel.say('bye');
  await until('it to end', async () => channel.ended !== undefined);
  expect(channel.say('anybody there?')).toBe(false);
  expect(channel.live).toBeUndefined();
  server.close();
});

test('a message with hundreds of thousands of events is received', () => {
  const received: { message?: (text: string) => void } = {};
  const events = Array.from({ length: 300_000 }, (_, index) => ({ id: String(index), name: 'item', event: { kind: 'ready' } as const }));
  const dialogue: Dialogue = { ...aDialogue(), receive: () => ({ send: [], events }) };
  const connect: ConnectMessages = (_, on) => {
    received.message = on.message;
    return { send: () => undefined, close: () => undefined };
  };
  const channel = new Channel(connect, path, dialogue, systemClock, () => undefined);
  received.message?.('the whole conversation');
  expect(channel.takeEvents()).toHaveLength(300_000);
});

test('a message that is far too large ends the connection with the reason', async () => {
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('x'.repeat(65 * 1024 * 1024)));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const channel = new Channel(connectMessages, path, aDialogue(), systemClock, () => undefined);
  await until('it to end', async () => channel.ended !== undefined);
  expect(channel.ended).toBe('the agent sent a message of more than 64 MB');
  server.close();
});

test.each(['no server listens', 'another program listens'])('if %s, it ends at once', async (who) => {
  const server = createServer((_, reply) => reply.writeHead(404).end('no such page'));
  if (who === 'another program listens') await new Promise<void>((resolve) => server.listen(path, resolve));
  const channel = new Channel(connectMessages, path, aDialogue(), systemClock, () => undefined);
  await until('it to end', async () => channel.ended !== undefined);
  expect(channel.openedAt).toBeUndefined();
  server.close();
});

test.each(['with a blank', 'jörg', 'a#b', 'a:b', '100%', 'q?x'])('a socket below a folder called %s is reached', async (folder) => {
  mkdirSync(join(directory, folder));
  path = join(directory, folder, 's');
  const server = await anEcho();
  const channel = new Channel(connectMessages, path, aDialogue(), systemClock, () => undefined);
  await until('it to open', async () => channel.openedAt !== undefined || channel.ended !== undefined);
  expect(channel.ended).toBeUndefined();
  channel.close();
  server.close();
});
