import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { systemClock } from '../system/clock.ts';
import { makeDirectory, writePrivate } from '../system/files/files.ts';
import { firstLine } from '../system/lines.ts';
import { aState } from '../workers/samples.ts';
import { PROTOCOL } from './api/meet-version.ts';
import { takeOver } from './take-over.ts';

/** A process whose command line looks like that of a supervisor. */
function supervisorProcess() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'llmc', 'up'], { stdio: 'ignore' });
  return { child, ended: once(child, 'exit'), [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** A root whose supervisor treats its callers like this, and what a successor says and gets there. */
async function replacing(greet: string | undefined, answer: (line: string, socket: Socket, ownerFile: string) => void, owner: object = {}) {
  using scratch = scratchStore(aState());
  using supervisor = supervisorProcess();
  const { layout } = scratch;
  makeDirectory(layout.run);
  writePrivate(layout.owner, JSON.stringify({ pid: supervisor.child.pid, what: 'up', version: '1.0.0', ...owner }));
  const requests: string[] = [];
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined);
    if (greet !== undefined) socket.write(`${greet}\n`);
    const line = await firstLine(socket, 10_000).catch(() => undefined);
    if (line === undefined) return;
    requests.push(line);
    answer(line, socket, layout.owner);
    socket.resume();
  });
  await once(server.listen(layout.apiSocket), 'listening');
  const said: string[] = [];
  try {
    const begunAt = 1_000;
    await takeOver(layout, { version: '1.1.0', begunAt, clock: systemClock, say: (line) => said.push(line) });
    const killed = await Promise.race([supervisor.ended.then(([, signal]) => signal), new Promise((resolve) => setImmediate(resolve))]);
    return { requests: requests.map((line) => JSON.parse(line)), said, killed };
  } finally {
    // Ends only when the successor has left: an open connection would keep its process alive.
    const left = once(server, 'close');
    server.close();
    await left;
  }
}

const hello = (version: string, protocol = PROTOCOL) => JSON.stringify({ hello: 1, version, protocol });

test.each(['1.0.0', '1.1.0', '1.2.0'])('a supervisor of version %s is asked to hand over, and is not killed', async (version) => {
  const { requests, said, killed } = await replacing(hello(version), (_, socket) => socket.end('{"result":[]}\n'));
  expect(requests).toMatchObject([
    { version: '1.1.0', protocol: PROTOCOL, name: 'handOver', args: { pid: process.pid, version: '1.1.0' } },
  ]);
  expect(said).toEqual([expect.stringMatching(/has handed over\. Its agents keep running\.$/)]);
  expect(killed).toBeUndefined();
});

test.each<[string, string | undefined, object]>([
  ['names no version', '{"hello":1}', {}],
  ['speaks another protocol', hello('1.0.0', PROTOCOL + 1), {}],
  ['does not greet, and is too old to', undefined, { version: undefined }],
])('a supervisor that %s is killed without a request', async (_, greet, owner) => {
  const asked = replacing(greet, () => undefined, owner);
  const { requests, said } = await asked;
  expect(requests).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/could not hand over, so it was killed\. Its agents keep running\.$/)]);
});

test('a supervisor that dies while it hands over needs no replacement', async () => {
  const { said } = await replacing(hello('1.0.0'), (_, socket) => socket.destroy());
  expect(said).toEqual([]);
});

test('a supervisor that came up after this process began is not replaced', async () => {
  const young = replacing(hello('1.1.0'), (_, socket) => socket.end('{"result":[]}\n'), { since_ms: 1_001 });
  await expect(young).rejects.toMatchObject({ code: 'SUPERVISOR_RUNNING' });
});

test('a supervisor that another command put in its place meanwhile is not killed for the silence of the one before', async () => {
  const silent = { code: 'SUPERVISOR_SILENT', message: 'no answer' };
  using younger = supervisorProcess();
  const replaced = replacing(hello('1.0.0'), (_, socket, ownerFile) => {
    writePrivate(ownerFile, JSON.stringify({ pid: younger.child.pid, what: 'up', version: '1.1.0' }));
    socket.end(`${JSON.stringify({ error: silent })}\n`);
  });
  await expect(replaced).rejects.toMatchObject({ code: 'SUPERVISOR_RUNNING' });
  expect(younger.child.killed || younger.child.signalCode !== null).toBe(false);
});

test('a refusal of the supervisor is passed on, and it lives', async () => {
  const refusal = { code: 'INSIDE_WORKER', message: 'for a person only' };
  const refused = replacing(hello('1.0.0'), (_, socket) => socket.end(`${JSON.stringify({ error: refusal })}\n`));
  await expect(refused).rejects.toMatchObject({ code: 'INSIDE_WORKER' });
});

test('a root without a supervisor needs no replacement', async () => {
  using scratch = scratchStore(aState());
  await takeOver(scratch.layout, { version: '1', begunAt: 0, clock: systemClock, say: () => expect.unreachable() });
});
