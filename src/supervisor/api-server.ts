import { createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { LlmcError, messageOf } from '../base/error.ts';
import { removeTree } from '../system/files.ts';
import { linesOf } from '../system/lines.ts';
import { sendLine } from './wire.ts';

export interface Call {
  readonly name: string;
  readonly args: unknown;
  readonly say: (line: string) => void;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
}

const requestSchema = z.object({ version: z.string(), name: z.string(), args: z.unknown() });

/** Listens on the root's private socket. The caller holds the root's lock, so a socket file found there is a leftover. */
export async function serveApi(path: string, version: string, handle: (call: Call) => Promise<unknown>): Promise<Server> {
  removeTree(path);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void converse(socket, version, handle);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ path, backlog: 128 }, resolve));
  return server;
}

async function converse(socket: Socket, version: string, handle: (call: Call) => Promise<unknown>): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  try {
    for await (const line of linesOf(socket)) {
      const request = requestSchema.parse(JSON.parse(line));
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
    const known =
      error instanceof LlmcError
        ? error
        : new LlmcError('INTERNAL', messageOf(error), { details: error instanceof Error ? error.stack : undefined });
    sendLine(socket, { error: known.toJSON() });
  } finally {
    socket.end();
  }
}
