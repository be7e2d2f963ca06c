import { constants, openSync } from 'node:fs';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens a file of llmc for appending, private if it is new. Fails for a link or a pipe that an agent put in its place. */
export function openLog(path: string): number {
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
}
