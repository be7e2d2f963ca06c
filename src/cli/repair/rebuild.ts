import { LlmcError } from '../../base/error.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { guardedGit } from '../../doctor/guarded-git.ts';
import { lastConversation } from '../../supervisor/agent-files/last-conversation.ts';
import { incarnationIn } from '../../supervisor/launch/environment-file.ts';
import { claimRoot } from '../../supervisor/ownership/claim.ts';
import { systemPorts } from '../../system/ports.ts';
import { agentPane } from '../../terminal/panes.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { type RebuiltWorker, rebuildState } from '../../workers/repair/rebuild-state.ts';
import { requirePerson } from '../owner/require-person.ts';
import type { Shell } from '../shell.ts';

const PATIENCE_MS = 15_000;

/** Makes the state again as the owner of the root, because no owner can open it without. */
export async function rebuildAsOwner(shell: Shell): Promise<readonly RebuiltWorker[]> {
  const { root, layout } = shell;
  await requirePerson('doctor --rebuild', shell);
  await shell.confirm('Write state.json again from the branches, worktrees and conversations of the workers?', {
    message: 'the state was not made again',
    hint: 'llmc doctor --rebuild --yes',
  });
  using _lock = await claimRoot(layout, 'doctor --rebuild', systemPorts, PATIENCE_MS);
  const { config } = await loadConfigInForce(root);
  const git = guardedGit({ root, processes: systemPorts.processes, config: async () => config });
  const { clock, files } = systemPorts;
  return await rebuildState({
    layout,
    git,
    config,
    now: clock.now(),
    lastConversation: (worker) => lastConversation(files, worker, config),
    runningIncarnation: (session) => runningIncarnation(new Terminal(layout.tmuxSocket, systemPorts.processes), session),
  });
}

export async function runningIncarnation(terminal: Pick<Terminal, 'panes' | 'startedWith'>, session: string): Promise<number | undefined> {
  const panes = await terminal.panes();
  // Without its number, the next supervisor would end an agent that still runs.
  if (panes === undefined)
    throw new LlmcError('TMUX_SESSION_FAILED', 'tmux does not answer, so nobody knows which agents still run', {
      hint: 'Try again: llmc doctor --rebuild',
    });
  const pane = agentPane(panes, session);
  return pane === undefined || pane.dead ? undefined : incarnationIn((await terminal.startedWith(pane.id)) ?? '');
}
