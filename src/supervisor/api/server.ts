import { createServer, type Socket } from 'node:net';
import { LlmcError } from '../../base/error.ts';
import { toKnownError } from '../../base/known-error.ts';
import { removeTree } from '../../system/files/files.ts';
import { linesOf } from '../../system/lines.ts';
import { readRequest } from './read-request.ts';
import { sendLine } from './wire.ts';

export interface Call {
  readonly name: string;
  readonly args: unknown;
  readonly say: (line: string) => void;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface ApiServer {
  /** Accepts no more callers. A caller that is being answered gets a moment for it; a caller without a request is not waited for. */
  close(): Promise<void>;
}

const LAST_ANSWERS_MS = 5_000;

/** Listens on the root's private socket. The caller holds the root's lock, so a socket file found there is a leftover. */
export async function serveApi(path: string, version: string, handle: (call: Call) => Promise<unknown>): Promise<ApiServer> {
  removeTree(path);
  const callers = new Set<Socket>();
  const answering = new Set<Socket>();
  const server = createServer((socket) => {
    callers.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => callers.delete(socket));
    void converse(socket, version, async (call) => {
      answering.add(socket);
      return await handle(call);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ path, backlog: 128 }, resolve));
  // Later errors, such as too many open files, belong to one caller: without a listener they would end the supervisor.
  server.on('error', () => undefined);
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of callers) if (!answering.has(socket)) socket.destroy();
      const late = setTimeout(() => {
        for (const socket of callers) socket.destroy();
      }, LAST_ANSWERS_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

async function converse(socket: Socket, version: string, handle: (call: Call) => Promise<unknown>): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  sendLine(socket, { hello: process.pid });
  try {
    for await (const line of linesOf(socket)) {
      const request = readRequest(line);
      if (request.version !== version) {
        throw new LlmcError('SUPERVISOR_FAILED', `the supervisor runs llmc ${version}, this is ${request.version}`, {
          hint: 'llmc down, then llmc up',
        });
      }
      const result = await handle({
        name: request.name,
        args: request.args,
        say: (text) => sendLine(socket, { say: text }),
        signal: gone.signal,
      });
      sendLine(socket, { result: result ?? null });
      break;
    }
  } catch (error) {
    sendLine(socket, { error: toKnownError(error).toJSON() });
  } finally {
    socket.end();
  }
}
