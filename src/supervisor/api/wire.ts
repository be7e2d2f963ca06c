import type { Socket } from 'node:net';
import type { ErrorJson } from '../../base/error.ts';

/**
 * One request per connection, one JSON document per line. The supervisor speaks first: a request that was never sent to one that
 * does not answer is not performed either, when that one goes on later and its caller has long been told so.
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
