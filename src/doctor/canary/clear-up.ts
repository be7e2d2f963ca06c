import type { Processes } from '../../base/ports.ts';
import { removeTree, temporariesLike } from '../../system/files/files.ts';
import { killServer } from '../../terminal/tmux-commands.ts';

/** Inside a canary's folder. */
export const SOCKET = 't.sock';

/**
 * For the caretaker: "$1" is the folder of a canary that was killed. The script renames it first, so no process can add to it: a
 * tmux server that is just starting cannot create its socket. The agent gets SIGHUP, and SIGKILL after 2 s.
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

/** Removes the folders of canaries whose caretaker was killed too. The caller holds the canary lock, so no canary uses them. */
export async function sweep(processes: Processes, prefix: string): Promise<void> {
  for (const folder of temporariesLike(prefix)) {
    await processes.run(killServer(`${folder}/${SOCKET}`), { timeoutMs: 5_000 });
    removeTree(folder);
  }
}
