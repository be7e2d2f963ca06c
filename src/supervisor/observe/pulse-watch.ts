import type { Instant, ProcessRow } from '../../base/ports.ts';
import type { Watch } from './watch.ts';

/** How old a reading of the process table may be while a prompt waits for its acknowledgement, or an agent is stopped. */
const CLOSE_READING_MS = 1_000;
/** After a longer gap between passes the machine was suspended or overloaded, and so was the agent. */
const GAP_MS = 5_000;

/**
 * Whether the process table should be read in this pass: what it says about this worker decides the next step of a prompt.
 * `reportedStopped`: a person was told that the agent is stopped, perhaps by the supervisor before this one.
 */
export function needsPulse({ pulse }: Watch, inFlightSince: Instant | undefined, reportedStopped: boolean, now: Instant): boolean {
  const isLate = inFlightSince !== undefined && now - inFlightSince >= CLOSE_READING_MS;
  const isDue = pulse.at === undefined || now - pulse.at >= CLOSE_READING_MS || now < pulse.at;
  return (isLate || reportedStopped || pulse.stopped !== undefined) && isDue;
}

/** Notes whether the agent's process can run, and whether it has used any processor time since the last reading. */
export function notePulse(watch: Watch, rows: readonly ProcessRow[], now: Instant): void {
  const { pane } = watch.tmux;
  // tmux did not answer, so nothing is known about the process: the last reading stays.
  if (pane === 'unknown') return;
  const root = typeof pane === 'string' || pane.dead ? undefined : rows.find(({ pid }) => pid === pane.pid);
  if (root === undefined) {
    watch.pulse = { ...watch.pulse, stopped: undefined, cpuMs: undefined, activeAt: undefined, at: now };
    return;
  }
  const tree = withDescendants(root, rows);
  // Of its tools only those count that have the terminal in front of the agent: a stopped job in another terminal does not stop it.
  const own = tree.filter((row) => row === root || row.foreground);
  const stopped = own.find(({ state }) => state === 'stopped');
  const blocked = own.some(({ state }) => state === 'blocked');
  const cpuMs = tree.reduce((sum, row) => sum + row.cpuMs, 0);
  const before = watch.pulse;
  watch.pulse = {
    stopped: stopped && { pid: stopped.pid, since: before.stopped?.pid === stopped.pid ? before.stopped.since : now },
    pausedAt: stopped !== undefined || blocked ? now : before.pausedAt,
    cpuMs,
    activeAt: before.cpuMs === cpuMs ? before.activeAt : now,
    at: now,
  };
}

/**
 * A pass that comes late, or before the last one because the clock was set back: nothing is known about the time in between, so nothing
 * of it counts as the agent's silence.
 */
export function noteGap(watch: Watch, now: Instant): void {
  if (now - watch.tmux.at >= GAP_MS || wasSetBack(watch, now)) watch.pulse = { ...watch.pulse, pausedAt: now };
}

/** Whether the clock was set back since tmux was last asked about this worker. */
export function wasSetBack({ tmux }: Watch, now: Instant): boolean {
  return now < tmux.at;
}

function withDescendants(root: ProcessRow, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const tree = new Map([[root.pid, root]]);
  for (const { pid } of tree.values()) for (const child of children.get(pid) ?? []) if (!tree.has(child.pid)) tree.set(child.pid, child);
  return [...tree.values()];
}
