import { connect, type Socket } from 'node:net';
import { LlmcError } from '../../base/error.ts';
import { readLines } from '../../system/lines.ts';
import { meetChallenge, type ProcessClaim } from '../../system/processes/meet-challenge.ts';
import type { PushedEvent } from '../follow/pushed-event.ts';
import { type Introduction, otherVersionError, PROTOCOL, understand } from './meet-version.ts';
import { LONGEST_REPLY_BYTES, LONGEST_REQUEST_BYTES, type Reply, type Request, sendLine } from './wire.ts';

/** A connection to the process that listens on the socket, or undefined when none does. A supervisor that was just killed may still accept: see `isSupervised`. */
export async function reachSupervisor(path: string): Promise<Socket | undefined> {
  return await new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // Later errors need a listener too: an error event without one would end this process.
    socket.on('error', () => resolve(undefined));
  });
}

/**
 * Whether a supervisor greets on this socket. A connection alone proves nothing: the kernel accepts for a killed process until
 * its last thread is gone, and then closes the connection. At a load of 30 on two cores, Node accepted up to 4.8 s after
 * `kill -9`, in 10 of 60 cases as a zombie.
 */
export async function isSupervised(path: string, ownerFile: string): Promise<boolean> {
  return (await readGreeting(path, ownerFile)) !== undefined;
}

/** The first line of the supervisor that listens on this socket; undefined if none does, for the reasons of `isSupervised`. */
export async function readGreeting(path: string, ownerFile: string): Promise<Reply | undefined> {
  const socket = await reachSupervisor(path);
  if (socket === undefined) return undefined;
  try {
    const first = await greeting(readLines(socket, LONGEST_REPLY_BYTES), () => undefined, ownerFile);
    return first.done === true ? undefined : JSON.parse(first.value);
  } catch (error) {
    if (error instanceof LlmcError) throw error;
    return undefined;
  } finally {
    socket.destroy();
  }
}

export interface Ask {
  readonly version: string;
  readonly name: string;
  readonly args: unknown;
  /** What `llmc code` printed, for a decision without a terminal. */
  readonly code?: string | undefined;
  readonly say: (line: string) => void;
  /** The process that is expected to answer. */
  readonly ownerFile?: string;
}

/** A supervisor that is up greets within milliseconds. One that was stopped, or is too old to greet, is recognised at the first look. */
const FIRST_LOOK_MS = 250;
const POLL_MS = 2_000;

/** The answer to one request. */
export async function ask(socket: Socket, asking: Ask): Promise<unknown> {
  const replies = subscribe(socket, asking);
  for (;;) {
    const reply = await replies.next();
    if (reply.done === true) return reply.value;
  }
}

/** The events of a request that lasts, then its answer. Leaving the loop does not close the socket: its owner does. */
export async function* subscribe(socket: Socket, { version, name, args, code, say, ownerFile }: Ask): AsyncGenerator<PushedEvent, unknown> {
  const lines = readLines(socket, LONGEST_REPLY_BYTES);
  using proof = new DisposableStack();
  try {
    const first = await greeting(lines, say, ownerFile);
    if (first.done === true) throw goneAway();
    requireGreeting(first.value, version, name);
    sendLine(socket, checkLength({ version, protocol: PROTOCOL, name, args, code, parent: process.ppid }));
    for await (const line of lines) {
      // The same version of llmc wrote the reply: the request carries the version, and the supervisor refuses any other.
      const reply: Reply = JSON.parse(line);
      if ('hello' in reply) continue;
      if ('say' in reply) say(reply.say);
      else if ('event' in reply) yield reply.event;
      else if ('prove' in reply) sendLine(socket, meet(reply.prove, proof));
      else if ('error' in reply) throw LlmcError.fromJSON(reply.error);
      else return reply.result;
    }
  } catch (error) {
    if (error instanceof LlmcError) throw error;
    // A broken connection or half a line: the supervisor was killed while it wrote.
    throw goneAway(error);
  }
  throw goneAway();
}

/** Keeps the file open until the answer: the supervisor looks for it among the open files of this process. */
function meet(path: string, until: DisposableStack): ProcessClaim {
  return until.use(meetChallenge(path)).claim;
}

/** A supervisor that cannot serve this caller says so in place of its greeting. One of another version is not asked at all. */
function requireGreeting(line: string, version: string, name: string): void {
  const reply: Reply = JSON.parse(line);
  if ('error' in reply) throw LlmcError.fromJSON(reply.error);
  const supervisor: Introduction = 'hello' in reply ? reply : {};
  if (!understand({ version, protocol: PROTOCOL }, supervisor, name)) throw otherVersionError(version, supervisor.version);
}

/** The supervisor hangs up on a longer request, and its reason could get lost on the way. */
function checkLength(request: Request): Request {
  if (Buffer.byteLength(JSON.stringify(request)) <= LONGEST_REQUEST_BYTES) return request;
  throw new LlmcError('INVALID_ARGUMENT', `the request is longer than ${LONGEST_REQUEST_BYTES} bytes`, { hint: 'llmc help' });
}

/** The kernel still connects callers to a stopped process, so nothing fails and nothing happens. */
async function greeting(
  lines: AsyncGenerator<string>,
  say: (line: string) => void,
  ownerFile: string | undefined,
): Promise<IteratorResult<string>> {
  const first = lines.next();
  for (let waitedMs = 0, pauseMs = FIRST_LOOK_MS; ; pauseMs = POLL_MS) {
    const timer = Promise.withResolvers<undefined>();
    const timeout = setTimeout(() => timer.resolve(undefined), pauseMs);
    const reply = await Promise.race([first, timer.promise]).finally(() => clearTimeout(timeout));
    if (reply !== undefined) return reply;
    waitedMs += pauseMs;
    if (ownerFile === undefined) continue;
    const { unresponsiveError } = await import('../ownership/unresponsive.ts');
    const silence = unresponsiveError(ownerFile, waitedMs);
    if (silence !== undefined) throw silence;
    if (waitedMs === FIRST_LOOK_MS + 2 * POLL_MS) say('The supervisor has not answered yet; waiting.');
  }
}

function goneAway(cause?: unknown): LlmcError {
  return new LlmcError('SUPERVISOR_FAILED', 'the supervisor ended before it answered', {
    hint: 'llmc up --detach continues the recorded work; llmc status shows it',
    cause,
  });
}
