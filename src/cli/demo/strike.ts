import { systemClock } from '../../system/clock.ts';
import { exists, removeTree } from '../../system/files/files.ts';
import { type OwnedProcess, pauseNow, runNow } from '../../system/processes/owned-process.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { trySignal } from '../../system/processes/signal.ts';
import { endStrays } from '../../system/processes/strays.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { killServer } from '../../terminal/tmux-commands.ts';

export interface Scenery {
  /** Everything that runs for it inherited its name. */
  readonly root: string;
  readonly supervisor: OwnedProcess | undefined;
  /** Commands that may still run. */
  readonly commands: ReadonlySet<OwnedProcess>;
  readonly tmuxSocket: string;
  readonly folders: readonly string[];
}

const SUPERVISOR_PATIENCE_MS = 5_000;
const COMMAND_PATIENCE_MS = 5_000;
const AGENT_PATIENCE_MS = 2_000;
const POLL_MS = 20;
/** What is just ending may still start a tmux or write a file; gone is what stays away for some looks. */
const CLEAN_LOOKS = 5;
const MOST_LOOKS = 100;

/** Takes everything down in good order and gives the folders that stayed. */
export async function strike({ root, supervisor, commands, tmuxSocket, folders }: Scenery): Promise<readonly string[]> {
  const terminal = new Terminal(tmuxSocket, systemProcesses);
  const agents = await agentsIn(terminal, tmuxSocket);
  if (supervisor !== undefined) {
    // Two signals mean "at once": nothing here is worth keeping. Two of the same name could arrive as one.
    supervisor.signal('SIGTERM');
    supervisor.signal('SIGINT');
    await endWithin(SUPERVISOR_PATIENCE_MS, supervisor);
  }
  // Those that wait for the supervisor end with it; the others are short and come to their end.
  await Promise.all([...commands].map((command) => endWithin(COMMAND_PATIENCE_MS, command)));
  agents.push(...(await agentsIn(terminal, tmuxSocket)));
  if (exists(tmuxSocket)) await terminal.shutDown();
  await goneWithin(AGENT_PATIENCE_MS, agents);
  const clear = () => endAllOf(root) && remove(folders);
  for (let looks = 0; looks < MOST_LOOKS && !clear(); looks += 1) await systemClock.sleep(POLL_MS);
  return folders.filter(exists);
}

async function agentsIn(terminal: Terminal, tmuxSocket: string): Promise<number[]> {
  return exists(tmuxSocket) ? ((await terminal.panes()) ?? []).filter(({ dead }) => !dead).map(({ pid }) => pid) : [];
}

async function endWithin(ms: number, owned: OwnedProcess): Promise<void> {
  // A timer left over would keep this process alive.
  const over = new AbortController();
  await Promise.race([owned.ended, systemClock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort();
  owned.signal('SIGKILL');
  await owned.ended;
}

async function goneWithin(ms: number, pids: readonly number[]): Promise<void> {
  const deadline = systemClock.now() + ms;
  const living = () => pids.filter((pid) => trySignal(pid, 0));
  while (living().length > 0 && systemClock.now() < deadline) await systemClock.sleep(POLL_MS);
  for (const pid of living()) trySignal(pid, 'SIGKILL');
}

/** The same for a process that is about to end and can wait for nobody. */
export function clearNow({ root, supervisor, commands, tmuxSocket, folders }: Scenery): void {
  for (const owned of [supervisor, ...commands]) owned?.signal('SIGKILL');
  for (let clean = 0, looks = 0; clean < CLEAN_LOOKS && looks < MOST_LOOKS; looks += 1) {
    const wasUp = exists(tmuxSocket) && runNow(killServer(tmuxSocket));
    // tmux only tells its agents to end, and one that is just starting has no socket yet.
    const ranOn = !endAllOf(root);
    const wasThere = folders.some(exists);
    clean = remove(folders) && !wasUp && !ranOn && !wasThere ? clean + 1 : 0;
    pauseNow(POLL_MS);
  }
}

/** True once nothing runs any more: what is told to end is there for a moment yet. */
function endAllOf(root: string): boolean {
  return endStrays([`LLMC_ROOT=${root}`]) === 0;
}

function remove(folders: readonly string[]): boolean {
  try {
    for (const folder of folders) removeTree(folder);
    return true;
  } catch {
    return false;
  }
}
