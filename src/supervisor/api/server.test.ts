import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readLines } from '../../system/lines.ts';
import { ask, reachSupervisor } from './client.ts';
import { PROTOCOL } from './meet-version.ts';
import { type ApiLimits, type Call, serveApi } from './server.ts';

/** A listening supervisor that answers with the result of the given function. */
async function listening(handle: (call: Call) => Promise<unknown>, limits?: ApiLimits) {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-api-'));
  const path = join(folder, 'api.sock');
  const server = await serveApi(path, '1', handle, { ...(limits !== undefined && { limits }) });
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
    listenAgain: () => server.listenAgain(),
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

test('a caller proves which process it is, when it is asked', async () => {
  await using supervisor = await listening(async ({ provenPid }) => await provenPid());
  const { socket, answer } = await supervisor.call('accept');
  expect(await answer).toBe(process.pid);
  socket.destroy();
});

test.each([
  ['claims to be another process', { pid: process.ppid, fd: 0 }],
  ['claims a file that it has not opened', { pid: process.pid, fd: 0 }],
  ['claims nothing', {}],
])('a caller that %s is not proven', async (_, claim) => {
  await using supervisor = await listening(async ({ provenPid }) => ({ pid: await provenPid() }));
  const socket = await reachSupervisor(supervisor.path);
  if (socket === undefined) throw new Error('nobody listens');
  socket.write(`${JSON.stringify({ version: '1', name: 'accept', args: {} })}\n`);
  const replies: unknown[] = [];
  for await (const line of readLines(socket, 1_000)) {
    replies.push(JSON.parse(line));
    if (line.includes('"prove"')) socket.write(`${JSON.stringify(claim)}\n`);
  }
  expect(replies.at(-1)).toEqual({ result: {} });
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

/** The last line that a caller received before the supervisor hung up. */
async function lastReply(socket: Socket): Promise<unknown> {
  return JSON.parse((await text(socket)).trimEnd().split('\n').at(-1) ?? '');
}

async function reached(path: string): Promise<Socket> {
  const socket = await reachSupervisor(path);
  if (socket === undefined) throw new Error('nobody listens');
  return socket;
}

const LIMITS: ApiLimits = { longestRequestBytes: 100_000, patienceMs: 60_000, mostCallers: 3 };

test('a request of any length takes no more memory than the limit: the supervisor hangs up with the reason', async () => {
  await using supervisor = await listening(async () => 'done', LIMITS);
  const socket = await reached(supervisor.path);
  const reply = lastReply(socket);
  const flood = setInterval(() => socket.write(Buffer.alloc(65_536, 'x')), 0);
  expect(await reply).toMatchObject({ error: { code: 'INVALID_ARGUMENT', message: 'the request is longer than 100000 bytes' } });
  clearInterval(flood);
  // The kernel keeps a few hundred kilobytes between the two; the supervisor has read the limit and one piece.
  expect(socket.bytesWritten).toBeLessThan(2_000_000);
  const next = await supervisor.call('short');
  expect(await next.answer).toBe('done');
  next.socket.destroy();
});

test.each([
  ['down', '0.9.0', { result: 'done' }],
  ['handOver', '1.0.1', { result: 'done' }],
  ['accept', '0.9.0', { error: { code: 'SUPERVISOR_OTHER_VERSION', hint: expect.stringContaining('Use llmc 1 for this root') } }],
  ['accept', '1.0.1', { error: { code: 'SUPERVISOR_OTHER_VERSION', hint: expect.stringContaining('llmc up --replace --detach') } }],
])('a caller that asks for %s from llmc %s, without looking at the greeting, gets %o', async (name, version, reply) => {
  await using supervisor = await listening(async () => 'done');
  const socket = await reached(supervisor.path);
  socket.write(`${JSON.stringify({ version, protocol: PROTOCOL, name, args: {} })}\n`);
  expect(await lastReply(socket)).toMatchObject(reply);
});

test('a command that would send too long a request refuses to', async () => {
  await using supervisor = await listening(async () => 'done');
  const socket = await reached(supervisor.path);
  const args = { prompt: 'x'.repeat(8 * 1024 * 1024) };
  await expect(ask(socket, { version: '1', name: 'start', args, say: () => undefined })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'the request is longer than 8388608 bytes',
  });
  socket.destroy();
});

test.each([
  ['sends nothing', ''],
  ['never ends its line', '{"version"'],
])('a caller that %s loses its place after a while', async (_, begun) => {
  await using supervisor = await listening(async () => 'done', { ...LIMITS, patienceMs: 50 });
  const socket = await reached(supervisor.path);
  socket.write(begun);
  expect(await lastReply(socket)).toMatchObject({
    error: { code: 'INVALID_ARGUMENT', message: 'the request did not arrive within 0.05 s' },
  });
});

test('a caller that does not read its answer loses its place after a while', async () => {
  await using supervisor = await listening(async () => 'x'.repeat(10_000_000), { ...LIMITS, patienceMs: 50, mostCallers: 1 });
  const socket = await reached(supervisor.path);
  socket.pause();
  socket.write('{"version":"1","name":"status","args":{}}\n');
  const next = async (): Promise<unknown> => {
    const { socket: caller, answer } = await supervisor.call('short');
    return await answer.catch(() => undefined).finally(() => caller.destroy());
  };
  await expect.poll(next, { timeout: 60_000 }).toHaveLength(10_000_000);
  socket.destroy();
});

test('callers that send nothing do not keep a command out: the one that is silent for longest loses its place', async () => {
  await using supervisor = await listening(async () => 'done', LIMITS);
  const first = await reached(supervisor.path);
  const turnedAway = lastReply(first);
  const others = await Promise.all([reached(supervisor.path), reached(supervisor.path)]);
  const { socket, answer } = await supervisor.call('short');
  expect(await answer).toBe('done');
  expect(await turnedAway).toMatchObject({
    error: { code: 'SUPERVISOR_FAILED', message: 'the supervisor serves 3 callers already, which is its limit' },
  });
  expect(others.map(({ destroyed, readableEnded }) => destroyed || readableEnded)).toEqual([false, false]);
  for (const each of [socket, ...others]) each.destroy();
});

test('a caller that asks to decide and never proves which process it is does not keep a command out', async () => {
  const asked = Promise.withResolvers<void>();
  const decide = async ({ name, provenPid }: Call) => {
    if (name !== 'accept') return 'done';
    const proven = provenPid();
    asked.resolve();
    return { pid: await proven };
  };
  await using supervisor = await listening(decide, { ...LIMITS, mostCallers: 1 });
  const unproven = await reached(supervisor.path);
  unproven.write(`${JSON.stringify({ version: '1', name: 'accept', args: {} })}\n`);
  await asked.promise;
  const { socket, answer } = await supervisor.call('short');
  expect(await answer).toBe('done');
  for (const each of [socket, unproven]) each.destroy();
});

test('a caller beyond the limit gets the reason if all others are being answered, and a place as soon as one leaves', async () => {
  const finish = Promise.withResolvers<void>();
  const begun = [0, 1, 2].map(() => Promise.withResolvers<void>());
  let count = 0;
  const answerLater = async ({ name }: Call) => {
    if (name === 'short') return 'done';
    begun[count++]?.resolve();
    await finish.promise;
    return 'late';
  };
  await using supervisor = await listening(answerLater, LIMITS);
  const busy = await Promise.all([supervisor.call('wait'), supervisor.call('wait'), supervisor.call('wait')]);
  await Promise.all(begun.map(({ promise }) => promise));
  const refused = await supervisor.call('short');
  await expect(refused.answer).rejects.toMatchObject({
    code: 'SUPERVISOR_FAILED',
    message: 'the supervisor serves 3 callers already, which is its limit',
  });
  finish.resolve();
  expect(await Promise.all(busy.map(({ answer }) => answer))).toEqual(['late', 'late', 'late']);
  for (const { socket } of busy) socket.destroy();
  const next = async (): Promise<unknown> => {
    const { socket, answer } = await supervisor.call('short');
    return await answer.catch(() => undefined).finally(() => socket.destroy());
  };
  await expect.poll(next, { timeout: 60_000 }).toBe('done');
});

test('a caller that does not read does not fill the memory with progress, and still gets its result', async () => {
  const finished = Promise.withResolvers<void>();
  await using supervisor = await listening(async ({ say }) => {
    for (let said = 0; said < 64; said += 1) say('x'.repeat(1_000_000));
    finished.resolve();
    return 'done';
  });
  const socket = await reached(supervisor.path);
  // The progress is written in one go, before the caller can read any of it.
  socket.write('{"version":"1","name":"status","args":{}}\n');
  await finished.promise;
  const received = await text(socket);
  expect(received.length).toBeLessThan(16_000_000);
  expect(received).toMatch(/\n\{"result":"done"\}\n$/);
});

test('a server whose socket was removed listens again, and the caller that it answers keeps its connection', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  await using supervisor = await listening(async ({ name }) => {
    if (name === 'short') return 'done';
    asked.resolve();
    return await answer.promise;
  });
  const early = await supervisor.call('long');
  await asked.promise;
  rmSync(supervisor.path);
  expect(await reachSupervisor(supervisor.path)).toBeUndefined();
  await supervisor.listenAgain();
  await supervisor.listenAgain();
  const late = await supervisor.call('short');
  expect(await late.answer).toBe('done');
  answer.resolve('finished');
  expect(await early.answer).toBe('finished');
  for (const { socket } of [early, late]) socket.destroy();
});
