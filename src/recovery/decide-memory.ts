import type { Instant } from '../base/ports.ts';

export interface MemoryPolicy {
  /** 0: no limit. */
  readonly limitMb: number;
  /** One peak is none: a compiler may be at work. */
  readonly samples: number;
  /** An agent that grows back at once is started anew this often within the time, and then left to a person. */
  readonly mostRestarts: number;
  readonly withinMs: number;
}

export interface MemoryView {
  /** The latest samples of this life, oldest first; null where nobody knows. */
  readonly samples: readonly (number | null)[];
  readonly restarts: readonly Instant[];
  /** Nothing may be ended while a prompt is just being typed or a dialog waits for a person. */
  readonly interruptible: boolean;
}

export type MemoryStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'restart'; readonly megabytes: number; readonly why: string }
  | { readonly kind: 'tell'; readonly megabytes: number; readonly restarts: number; readonly why: string };

/** What to do about an agent that holds more memory than it may. */
export function decideMemory(view: MemoryView, policy: MemoryPolicy, now: Instant): MemoryStep {
  const limit = policy.limitMb * 2 ** 20;
  const latest = view.samples.slice(-policy.samples);
  const isOver = latest.length === policy.samples && latest.every((bytes) => bytes !== null && bytes > limit);
  if (limit === 0 || !isOver) return { kind: 'nothing' };
  const megabytes = Math.round((latest.at(-1) ?? 0) / 2 ** 20);
  const holds = `it holds ${megabytes} MB, and may hold ${policy.limitMb} (memory_mb_per_worker)`;
  const recent = view.restarts.filter((at) => now - at < policy.withinMs).length;
  if (recent >= policy.mostRestarts)
    return { kind: 'tell', megabytes, restarts: recent, why: `${holds}; it grew back after ${recent} restarts` };
  if (!view.interruptible) return { kind: 'wait', why: `${holds}; it is restarted when no prompt is on its way to it` };
  return { kind: 'restart', megabytes, why: `${holds}; restarted` };
}
