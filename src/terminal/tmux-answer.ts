import type { Finished } from '../base/ports.ts';

export function succeeded(finished: Finished): boolean {
  return finished.outcome.kind === 'exited' && finished.outcome.status === 0;
}

/** By the texts of tmux 3.2–3.5 for a socket without a server. */
export function serverIsGone(finished: Finished): boolean {
  return /no server running|error connecting to .*\((No such file or directory|Connection refused)\)|no current session/.test(
    finished.stderr,
  );
}

export function describeRefusal(finished: Finished): string {
  return finished.stderr.trim() || (finished.outcome.kind === 'exited' ? `status ${finished.outcome.status}` : finished.outcome.kind);
}
