import type { Instant, Signals } from '../../base/ports.ts';
import { agentPane, type Pane } from '../../terminal/panes.ts';
import type { TmuxWatch, Watch } from './watch.ts';

export type PaneState = 'alive' | 'dead' | 'gone' | 'unknown';

export function paneState(pane: TmuxWatch['pane']): PaneState {
  if (typeof pane === 'string') return pane;
  return pane.dead ? 'dead' : 'alive';
}

/** A session that tmux does not show has ended only if its process has: removing the socket's file hides tmux from llmc, and the agent lives on. */
export function findPane(
  signals: Pick<Signals, 'isAlive'>,
  { tmux: { pid } }: Watch,
  panes: ReadonlyMap<string, readonly Pane[]> | undefined,
  session: string,
): TmuxWatch['pane'] {
  if (panes === undefined) return 'unknown';
  const pane = agentPane(panes.get(session) ?? [], session);
  if (pane !== undefined) return pane;
  return pid !== undefined && signals.isAlive(pid) ? 'unknown' : 'gone';
}

export function notePane(watch: Watch, pane: TmuxWatch['pane'], at: Instant, personTypedAt?: Instant): void {
  const { tmux } = watch;
  const pid = typeof pane === 'string' ? tmux.pid : pane.pid;
  watch.tmux = { pane, at, pid, ended: endedSince(tmux, pane, at), personTypedAt, bellAt: rang(tmux.pane, pane) ? at : tmux.bellAt };
}

/** A pass that is not believed confirms nothing: the count of passes begins again. */
export function doubtEnd(watch: Watch): void {
  watch.tmux = { ...watch.tmux, ended: undefined };
}

/** Bells from before llmc observed the pane prove nothing about a turn. */
function rang(before: TmuxWatch['pane'], now: TmuxWatch['pane']): boolean {
  return typeof before !== 'string' && typeof now !== 'string' && now.id === before.id && now.bells > before.bells;
}

/** A pass without an answer of tmux neither confirms nor revokes an end. */
function endedSince({ ended }: TmuxWatch, pane: TmuxWatch['pane'], at: Instant): TmuxWatch['ended'] {
  const state = paneState(pane);
  if (state === 'unknown') return ended;
  return state === 'alive' ? undefined : { since: ended?.since ?? at, passes: (ended?.passes ?? 0) + 1 };
}
