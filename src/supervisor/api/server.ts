import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { toKnownError } from '../../base/known-error.ts';
import { restrict } from '../../system/files/access.ts';
import { removeTree } from '../../system/files/files.ts';
import { firstLine, LineTooLongError } from '../../system/lines.ts';
import { challenge } from '../../system/processes/identity.ts';
import type { PushedEvent } from '../follow/pushed-event.ts';
import { otherVersionError, PROTOCOL, understand } from './meet-version.ts';
import { readClaim, readRequest } from './read-request.ts';
import { LONGEST_REQUEST_BYTES, sendLine } from './wire.ts';

export interface Call {
  readonly name: string;
  readonly args: unknown;
  /** What `llmc code` printed, if the caller has one. */
  readonly code?: string | undefined;
  /** The process that started the caller, as the caller says. */
  readonly parent?: number | undefined;
  readonly say: (line: string) => void;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Sends one of many answers. A sender of many looks at `isFull` first, and waits for `onDrain`. */
  readonly push: (event: PushedEvent) => void;
  /** Whether the caller has not read what was sent so far. */
  readonly isFull: () => boolean;
  /** Calls the listener whenever the caller has read everything. */
  readonly onDrain: (listener: () => void) => void;
  /** Asks the caller once to prove which process it is; undefined if it does not. */
  readonly provenPid: () => Promise<number | undefined>;
}

export interface ApiServer {
  /** For a socket whose file was removed: callers that are being answered keep their connections. */
  listenAgain(): Promise<void>;
  /** Accepts no more callers. A caller that is being answered gets a moment for it; a caller without a request is not waited for. */
  close(): Promise<void>;
}

const LAST_ANSWERS_MS = 5_000;
/** How long a caller without a proper request has to read the reason. */
const REASON_MS = 1_000;

/** What one caller may take from the supervisor, which serves them all. */
export interface ApiLimits {
  readonly longestRequestBytes: number;
  /** How long a caller may take to send its request, and then to take its answer. A command needs milliseconds. */
  readonly patienceMs: number;
  /** Each command takes one place, as long as it waits. */
  readonly mostCallers: number;
}

const LIMITS: ApiLimits = { longestRequestBytes: LONGEST_REQUEST_BYTES, patienceMs: 60_000, mostCallers: 256 };

/** Listens on the root's private socket. The caller holds the root's lock, so a socket file found there is a leftover. */
export async function serveApi(
  path: string,
  version: string,
  handle: (call: Call) => Promise<unknown>,
  { limits = LIMITS, onError = () => undefined }: { readonly limits?: ApiLimits; readonly onError?: (error: Error) => void } = {},
): Promise<ApiServer> {
  const proofs = join(dirname(path), 'callers');
  for (const leftover of [path, proofs]) removeTree(leftover);
  const callers = new Set<Socket>();
  const answering = new WeakSet<Socket>();
  const silent = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (callers.size >= limits.mostCallers) {
      // A command sends its request within milliseconds, so the caller that has been silent for longest is not one.
      const [longest] = silent;
      if (longest === undefined) return turnAway(socket, limits.mostCallers);
      for (const waiting of [callers, silent]) waiting.delete(longest);
      turnAway(longest, limits.mostCallers);
    }
    callers.add(socket);
    socket.on('close', () => callers.delete(socket));
    const note = async (call: Call): Promise<unknown> => {
      answering.add(socket);
      return await handle(call);
    };
    void converse(socket, { version, limits, silent, proofs, handle: note });
  });
  await listen(server, path);
  // Later errors, such as too many open files, belong to one caller: without a listener they would end the supervisor.
  server.on('error', onError);
  return {
    async listenAgain() {
      if (server.listening) server.close();
      await listen(server, path);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of callers) if (!answering.has(socket)) socket.destroy();
      const late = setTimeout(() => {
        for (const socket of callers) socket.destroy();
      }, LAST_ANSWERS_MS);
      await closed;
      clearTimeout(late);
      removeTree(proofs);
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen({ path, backlog: 128 }, listening.resolve);
  await listening.promise.finally(() => server.off('error', listening.reject));
  restrict(path);
}

/** Answers a new caller in place of the greeting, so that it sends nothing. */
function turnAway(socket: Socket, mostCallers: number): void {
  const error = new LlmcError('SUPERVISOR_FAILED', `the supervisor serves ${mostCallers} callers already, which is its limit`, {
    hint: 'End commands that wait, such as llmc wait, then try again.',
  });
  sendLine(socket, { error: error.toJSON() });
  socket.destroySoon();
}

interface Host {
  readonly version: string;
  readonly limits: ApiLimits;
  /** Callers whose line the supervisor waits for, longest first. */
  readonly silent: Set<Socket>;
  /** The folder of the files that callers open to prove which process they are. */
  readonly proofs: string;
  readonly handle: (call: Call) => Promise<unknown>;
}

async function converse(socket: Socket, host: Host): Promise<void> {
  const { version, limits, handle } = host;
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  sendLine(socket, { hello: process.pid, version, protocol: PROTOCOL });
  let asked = false;
  try {
    const line = await requestLine(socket, host);
    if (line === undefined) return;
    asked = true;
    const request = readRequest(line);
    if (!understand(request, { version, protocol: PROTOCOL }, request.name)) throw otherVersionError(request.version, version);
    let proven: Promise<number | undefined> | undefined;
    const result = await handle({
      name: request.name,
      args: request.args,
      code: request.code,
      parent: request.parent,
      say: (text) => sendLine(socket, { say: text }),
      push: (event) => sendLine(socket, { event }),
      isFull: () => socket.writableNeedDrain,
      onDrain: (listener) => socket.on('drain', listener),
      signal: gone.signal,
      provenPid: () => {
        proven ??= provenPid(socket, host);
        return proven;
      },
    });
    sendLine(socket, { result: result ?? null });
  } catch (error) {
    sendLine(socket, { error: toKnownError(error).toJSON() });
  } finally {
    // Read no more of a request that is too long, but do not close at once: a caller whose write fails does not read the reason.
    if (!asked) socket.pause();
    socket.end();
    // A caller that does not read its answer, or does not hang up, loses its place.
    setTimeout(() => socket.destroy(), asked ? limits.patienceMs : REASON_MS).unref();
  }
}

/** The proof is for this connection: no other caller learns the name of the file. */
async function provenPid(socket: Socket, host: Host): Promise<number | undefined> {
  using asked = challenge(host.proofs);
  const answer = requestLine(socket, host);
  sendLine(socket, { prove: asked.path });
  const claim = readClaim((await answer) ?? '');
  return claim !== undefined && asked.isMetBy(claim) ? claim.pid : undefined;
}

/** Undefined when the caller disconnected without a request. */
async function requestLine(socket: Socket, { limits, silent }: Host): Promise<string | undefined> {
  const { longestRequestBytes, patienceMs } = limits;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(notAsked(`the request did not arrive within ${patienceMs / 1_000} s`)), patienceMs);
  silent.add(socket);
  try {
    return await Promise.race([firstLine(socket, longestRequestBytes), late.promise]);
  } catch (error) {
    if (error instanceof LineTooLongError) throw notAsked(`the request is longer than ${longestRequestBytes} bytes`);
    throw error;
  } finally {
    clearTimeout(timer);
    silent.delete(socket);
  }
}

function notAsked(problem: string): LlmcError {
  return new LlmcError('INVALID_ARGUMENT', problem, { hint: 'Send a shorter request, and send it at once: llmc help' });
}
