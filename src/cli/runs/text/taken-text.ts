/** For what is stored, and that the engine has not taken up. */
export function notYetTaken(what: string): string {
  return `${what} is recorded and takes effect when the supervisor runs: llmc up --detach`;
}

/** Only the supervisor drives a run. */
export const STANDS_STILL = 'No supervisor is running, so nothing goes on: llmc up --detach';
