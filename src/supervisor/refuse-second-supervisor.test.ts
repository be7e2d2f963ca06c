import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { makeLayout } from '../store/layout.ts';
import { makeDirectory, writePrivate } from '../system/files/files.ts';
import { aState } from '../workers/samples.ts';
import { refuseSecondSupervisor } from './refuse-second-supervisor.ts';

/** A root whose socket belongs to a process that treats its callers like this. */
async function listenedOn(accept: (socket: Socket) => void, owner: number) {
  const scratch = scratchStore(aState());
  const layout = makeLayout(scratch.layout.root);
  makeDirectory(layout.run);
  writePrivate(layout.owner, JSON.stringify({ pid: owner, what: 'up' }));
  const callers = new Set<Socket>();
  const server = createServer((socket) => {
    callers.add(socket.on('error', () => undefined));
    accept(socket);
  });
  await once(server.listen(layout.apiSocket), 'listening');
  return {
    layout,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of callers) socket.destroy();
      await closed;
      scratch[Symbol.dispose]();
    },
  };
}

test('a supervisor that greets is named with its process', async () => {
  await using root = await listenedOn((socket) => socket.write('{"hello":1}\n'), process.pid);
  await expect(refuseSecondSupervisor(root.layout)).rejects.toMatchObject({
    code: 'SUPERVISOR_RUNNING',
    message: expect.stringContaining(`process ${process.pid}`),
  });
});

test('a killed supervisor whose socket still accepts does not block a new one', async () => {
  await using root = await listenedOn((socket) => socket.destroy(), process.pid);
  await refuseSecondSupervisor(root.layout);
});

test('a supervisor stopped by Ctrl+Z is reported with the command to continue it', async () => {
  const stopped = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(stopped.stdout, 'data');
    stopped.kill('SIGSTOP');
    await using root = await listenedOn(() => undefined, stopped.pid ?? 0);
    await expect(refuseSecondSupervisor(root.layout)).rejects.toMatchObject({
      code: 'SUPERVISOR_SILENT',
      hint: expect.stringContaining(`kill -CONT ${stopped.pid}`),
    });
  } finally {
    stopped.kill('SIGKILL');
  }
});

test('a supervisor that is too old to greet is recognised at once, and the error says what to type', async () => {
  await using root = await listenedOn(() => undefined, process.pid);
  await expect(refuseSecondSupervisor(root.layout)).rejects.toMatchObject({
    // One that is waited for without success is SUPERVISOR_SILENT.
    code: 'SUPERVISOR_OTHER_VERSION',
    hint: expect.stringMatching(/^llmc up --replace --detach /),
  });
});

test('a root without a socket has no supervisor', async () => {
  using scratch = scratchStore(aState());
  await refuseSecondSupervisor(scratch.layout);
});
