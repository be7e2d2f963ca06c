import { systemClock } from '../../system/clock.ts';
import { exists, removeTree } from '../../system/files/files.ts';
import { type OwnedProcess, pauseNow, runNow } from '../../system/processes/owned-process.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { trySignal } from '../../system/processes/signal.ts';
import { endStrays } from '../../system/processes/strays.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { killServer } from '../../terminal/tmux-commands.ts';

export interface DemoResources {
  /** Every process of the demo has it in its environment, as LLMC_ROOT. */
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
/** A process that is ending may still start tmux or write a file, so require several clean checks in a row. */
const CLEAN_CHECKS = 5;
const MOST_CHECKS = 100;

/** Stops all processes, removes the folders, and returns the folders that could not be removed. */
export async function tearDown({ root, supervisor, commands, tmuxSocket, folders }: DemoResources): Promise<readonly string[]> {
  const terminal = new Terminal(tmuxSocket, systemProcesses);
  const agents = await agentsIn(terminal, tmuxSocket);
  if (supervisor !== undefined) {
    // The second signal makes it stop at once. Two signals of the same name could arrive as one.
    supervisor.signal('SIGTERM');
    supervisor.signal('SIGINT');
    await endWithin(SUPERVISOR_PATIENCE_MS, supervisor);
  }
  // Commands that wait for the supervisor end with it; the others take only a moment.
  await Promise.all([...commands].map((command) => endWithin(COMMAND_PATIENCE_MS, command)));
  agents.push(...(await agentsIn(terminal, tmuxSocket)));
  if (exists(tmuxSocket)) await terminal.shutDown();
  await goneWithin(AGENT_PATIENCE_MS, agents);
  const clear = () => endAll(root) && remove(folders);
  for (let checks = 0; checks < MOST_CHECKS && !clear(); checks += 1) await systemClock.sleep(POLL_MS);
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

/** The synchronous version of `tearDown`, for the `exit` event of this process. */
export function tearDownNow({ root, supervisor, commands, tmuxSocket, folders }: DemoResources): void {
  for (const owned of [supervisor, ...commands]) owned?.signal('SIGKILL');
  for (let clean = 0, checks = 0; clean < CLEAN_CHECKS && checks < MOST_CHECKS; checks += 1) {
    const wasUp = exists(tmuxSocket) && runNow(killServer(tmuxSocket));
    // tmux only sends its agents a hang-up, and a tmux that is starting has no socket yet.
    const ranOn = !endAll(root);
    const wasThere = folders.some(exists);
    clean = remove(folders) && !wasUp && !ranOn && !wasThere ? clean + 1 : 0;
    pauseNow(POLL_MS);
  }
}

/** Kills the processes of the demo; true if there were none left, because a killed process takes a moment to end. */
function endAll(root: string): boolean {
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
