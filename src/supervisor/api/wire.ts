import type { Socket } from 'node:net';
import type { ErrorJson } from '../../base/error.ts';
import type { ProcessClaim } from '../../system/processes/meet-challenge.ts';
import type { PushedEvent } from '../follow/pushed-event.ts';
import type { Introduction } from './meet-version.ts';

/**
 * One request per connection, one JSON document per line. The supervisor greets first, so a caller sends nothing to a supervisor
 * that does not answer: the request would otherwise run later, long after the caller reported a failure. For a request that only a
 * person may make, the supervisor asks the caller to prove which process it is: the caller opens the file `prove` and sends a `Claim`.
 */
export interface Request extends Introduction {
  readonly version: string;
  readonly name: string;
  readonly args: unknown;
  /** What `llmc code` printed for a caller without a terminal. */
  readonly code?: string | undefined;
  /** The process that started the caller, mostly a shell. It names the reader of the answer where no process can prove its id. */
  readonly parent?: number | undefined;
}

export type Reply =
  /** The process id of the supervisor. */
  | ({ readonly hello: number } & Introduction)
  | { readonly say: string }
  | { readonly prove: string }
  /** One of many answers to a request that lasts, such as `follow`. */
  | { readonly event: PushedEvent }
  | { readonly result: unknown }
  | { readonly error: ErrorJson };

/** A prompt of 256 KB, escaped, still fits. */
export const LONGEST_REQUEST_BYTES = 8 * 1024 * 1024;
/** A diff of the 64 MB that llmc keeps of a program's output, with line feeds and quotes escaped. A string of V8 holds twice as much. */
export const LONGEST_REPLY_BYTES = 256 * 1024 * 1024;

/** What a caller that does not read may leave in the memory of the supervisor. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;

export function sendLine(socket: Socket, message: Request | Reply | ProcessClaim): void {
  // A caller that does not read misses progress, not its result.
  if ('say' in message && socket.writableLength > MOST_UNREAD_BYTES) return;
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}
