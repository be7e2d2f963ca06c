import type { Instant } from '../../base/ports.ts';
import type { Task } from '../model/action.ts';
import type { PerformContext } from '../perform/context.ts';
import type { Claim } from '../store/ports.ts';

/** A task that this process performs. */
export interface Performance {
  readonly claim: Claim;
  readonly since: Instant;
  /** No step waits for it any more. */
  readonly drop: AbortController;
  /** The run is paused: what it waits for to try again comes after the pause. */
  readonly hold: AbortController;
  /** Another performance has its task: this one hangs, or is as good as dead. */
  readonly takenOver: AbortController;
}

/** git, tmux and the disk answer within seconds, or fail. */
const QUICK_MS = 10 * 60_000;
/** A new worktree and a landing run commands of the user, each with a time of its own. */
const SLOW_MS = 2 * 3_600_000;

/** After this time without an answer a performance counts as dead: its lease is not prolonged, and its task is claimed again. */
export function longestMs(kind: Task['kind']): number {
  switch (kind) {
    // Shell lines have their own time, and their own places.
    case 'check':
      return Number.POSITIVE_INFINITY;
    case 'attempt':
    case 'land':
    case 'undo':
      return SLOW_MS;
    default:
      return QUICK_MS;
  }
}

/** The effects of a performance, until another one takes over: one that comes back to life must not act beside it. */
export function guardEffects(context: PerformContext, { takenOver: { signal } }: Pick<Performance, 'takenOver'>): PerformContext {
  const { workers, exchange, artifacts, git } = context;
  return {
    ...context,
    workers: guarded(workers, signal),
    exchange: guarded(exchange, signal),
    artifacts: guarded(artifacts, signal),
    git: guarded(git, signal),
  };
}

function guarded<Port extends object>(port: Port, signal: AbortSignal): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        signal.throwIfAborted();
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** For the history of the run, which `llmc why` shows. */
export function takenOverText({ action: { task }, attempt }: Claim): string {
  return `llmc performs "${task.kind.replace('_', ' ')}" again (time ${attempt}): what performed it ended or gave no sign of life. What has happened counts and is not repeated`;
}
