import { systemClock } from '../../system/clock.ts';
import { exists, removeTree } from '../../system/files.ts';
import { type OwnedProcess, pauseNow, runNow } from '../../system/owned-process.ts';
import { systemProcesses } from '../../system/processes.ts';
import { trySignal } from '../../system/signal.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { killServer } from '../../terminal/tmux-commands.ts';

export interface Scenery {
  readonly supervisor: OwnedProcess | undefined;
  readonly tmuxSocket: string;
  /** Commands that may still run. */
  readonly running: ReadonlySet<Promise<unknown>>;
  /** Ends them. */
  readonly hurry: () => void;
  readonly folders: readonly string[];
}

/** How long the supervisor gets for each of its ways to stop: gracefully, at once, by force. */
const PATIENCE_MS = [4_000, 2_000] as const;
const COMMAND_PATIENCE_MS = 5_000;
const PROCESS_PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 20;
const TRIES = 20;

/** Takes everything down in good order: supervisor first, as the commands that wait for it end with it; the folder last. Gives the folders that stayed. */
export async function strike({ supervisor, tmuxSocket, running, hurry, folders }: Scenery): Promise<readonly string[]> {
  const terminal = new Terminal(tmuxSocket, systemProcesses);
  const agents = exists(tmuxSocket) ? ((await terminal.panes()) ?? []).map(({ pid }) => pid) : [];
  await stop(supervisor);
  await within(COMMAND_PATIENCE_MS, Promise.allSettled(running));
  hurry();
  await Promise.allSettled(running);
  if (exists(tmuxSocket)) await terminal.shutDown();
  await gone(agents);
  for (let tries = 0; tries < TRIES && folders.some(exists); tries += 1) {
    // What is just ending may still write a last file.
    if (!remove(folders)) await systemClock.sleep(LOOK_EVERY_MS);
  }
  return folders.filter(exists);
}

async function stop(supervisor: OwnedProcess | undefined): Promise<void> {
  if (supervisor === undefined) return;
  for (const patienceMs of PATIENCE_MS) {
    if (supervisor.hasEnded()) return;
    supervisor.signal('SIGTERM');
    await within(patienceMs, supervisor.ended);
  }
  supervisor.signal('SIGKILL');
  await supervisor.ended;
}

/** Waits for something, but not longer; a timer left over would keep this process alive. */
async function within(ms: number, something: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([something, systemClock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort();
}

async function gone(pids: readonly number[]): Promise<void> {
  const deadline = systemClock.now() + PROCESS_PATIENCE_MS;
  const living = () => pids.filter((pid) => trySignal(pid, 0));
  while (living().length > 0 && systemClock.now() < deadline) await systemClock.sleep(LOOK_EVERY_MS);
  for (const pid of living()) trySignal(pid, 'SIGKILL');
}

/** The same for a process that is about to end, without waiting for anybody. */
export function clearNow(folders: readonly string[], tmuxSocket: string, supervisor: number | undefined): void {
  if (supervisor !== undefined) trySignal(supervisor, 'SIGKILL');
  for (let tries = 0; tries < TRIES; tries += 1) {
    // A tmux that the supervisor had just begun to start comes up after its end.
    const wasUp = exists(tmuxSocket) && runNow(killServer(tmuxSocket));
    if (tries > 2 && !wasUp && remove(folders)) return;
    pauseNow(LOOK_EVERY_MS);
  }
}

function remove(folders: readonly string[]): boolean {
  try {
    for (const folder of folders) removeTree(folder);
    return true;
  } catch {
    return false;
  }
}
