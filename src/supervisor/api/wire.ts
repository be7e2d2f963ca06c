import type { Socket } from 'node:net';
import type { ErrorJson } from '../../base/error.ts';

/**
 * One request per connection, one JSON document per line. The supervisor greets first, so a caller sends nothing to a supervisor
 * that does not answer: the request would otherwise run later, long after the caller reported a failure.
 */
export interface Request {
  readonly version: string;
  readonly name: string;
  readonly args: unknown;
}

export type Reply = { readonly hello: number } | { readonly say: string } | { readonly result: unknown } | { readonly error: ErrorJson };

export function sendLine(socket: Socket, message: Request | Reply): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}
