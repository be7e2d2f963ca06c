import type { Processes } from '../../base/ports.ts';
import { removeTree, temporariesLike } from '../../system/files/files.ts';
import { killServer } from '../../terminal/tmux-commands.ts';

/** Inside a canary's folder. */
export const SOCKET = 't.sock';

/**
 * For the caretaker: "$1" is the folder of a canary that was killed. Under its new name nothing can be added to it any more: a
 * tmux that is just starting finds no place for its socket. The agent gets a hang-up, and a moment later no choice.
 */
export const CLEAR_UP_SCRIPT = `
mv "$1" "$1.end" || exit
pids=$(tmux -S "$1.end/${SOCKET}" list-panes -a -F '#{pane_pid}')
tmux -S "$1.end/${SOCKET}" kill-server
for pid in $pids; do
  tries=0
  while kill -0 "$pid" && [ $tries -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -9 "$pid"
done
rm -rf "$1.end"
`;

/** What a canary left behind whose caretaker was killed as well. The caller holds the canary's lock, so nobody is in there. */
export async function sweep(processes: Processes, prefix: string): Promise<void> {
  for (const folder of temporariesLike(prefix)) {
    await processes.run(killServer(`${folder}/${SOCKET}`), { timeoutMs: 5_000 });
    removeTree(folder);
  }
}
