import { connect, type Socket } from 'node:net';
import { LlmcError } from '../base/error.ts';
import { linesOf } from '../system/lines.ts';
import { type Reply, sendLine } from './wire.ts';

/** A connection to the supervisor, or undefined when none listens. */
export async function reachSupervisor(path: string): Promise<Socket | undefined> {
  return await new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // Also later: an error nobody listens to would end this process.
    socket.on('error', () => resolve(undefined));
  });
}

export interface Ask {
  readonly version: string;
  readonly name: string;
  readonly args: unknown;
  readonly say: (line: string) => void;
}

export async function ask(socket: Socket, { version, name, args, say }: Ask): Promise<unknown> {
  sendLine(socket, { version, name, args });
  try {
    for await (const line of linesOf(socket)) {
      // Written by the same version of llmc: the request carries it, and the supervisor refuses any other.
      const reply: Reply = JSON.parse(line);
      if ('say' in reply) say(reply.say);
      else if ('error' in reply) throw LlmcError.fromJSON(reply.error);
      else return reply.result;
    }
  } catch (error) {
    if (error instanceof LlmcError) throw error;
    // A broken connection or half a line: the supervisor was killed in the middle of it.
    throw goneAway(error);
  }
  throw goneAway();
}

function goneAway(cause?: unknown): LlmcError {
  return new LlmcError('SUPERVISOR_FAILED', 'the supervisor went away before it answered', {
    hint: 'llmc up --detach; what it had written down goes on, llmc status shows it',
    cause,
  });
}
