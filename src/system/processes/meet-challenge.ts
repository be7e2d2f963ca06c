import { closeSync, constants, openSync } from 'node:fs';

/** A process, and the number under which it has opened the file of a challenge. */
export interface ProcessClaim {
  readonly pid: number;
  readonly fd: number;
}

/** Opens the file of a challenge until the end of the block. */
export function meetChallenge(path: string): Disposable & { readonly claim: ProcessClaim } {
  // A path from a process that only pretends to be the supervisor must neither block nor lead elsewhere.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return { claim: { pid: process.pid, fd }, [Symbol.dispose]: () => closeSync(fd) };
}
