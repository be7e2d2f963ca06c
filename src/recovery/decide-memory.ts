import type { Instant } from '../base/ports.ts';

export interface MemoryPolicy {
  /** 0: no limit. */
  readonly limitMb: number;
  /** Ignore a single spike: a compiler may be running. */
  readonly samples: number;
  /** llmc restarts an agent that grows back this often within the time, and then leaves it to a person. */
  readonly mostRestarts: number;
  readonly withinMs: number;
}

export interface MemoryView {
  /** The latest samples of this incarnation, oldest first; null for an unknown one. */
  readonly samples: readonly (number | null)[];
  readonly restarts: readonly Instant[];
  /** False while llmc types a prompt or a dialog waits for a person: llmc must not end the agent then. */
  readonly interruptible: boolean;
}

export type MemoryStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'restart'; readonly megabytes: number; readonly why: string }
  | { readonly kind: 'report'; readonly megabytes: number; readonly restarts: number; readonly why: string };

/** Decides what to do about an agent that uses more memory than its limit. */
export function decideMemory(view: MemoryView, policy: MemoryPolicy, now: Instant): MemoryStep {
  const limit = policy.limitMb * 2 ** 20;
  const latest = view.samples.slice(-policy.samples);
  const isOver = latest.length === policy.samples && latest.every((bytes) => bytes !== null && bytes > limit);
  if (limit === 0 || !isOver) return { kind: 'nothing' };
  const megabytes = Math.round((latest.at(-1) ?? 0) / 2 ** 20);
  const usage = `the agent uses ${megabytes} MB, and the limit is ${policy.limitMb} (memory_mb_per_worker)`;
  const recent = view.restarts.filter((at) => now - at < policy.withinMs).length;
  if (recent >= policy.mostRestarts)
    return { kind: 'report', megabytes, restarts: recent, why: `${usage}; it grew back after ${recent} restarts` };
  if (!view.interruptible) return { kind: 'wait', why: `${usage}; llmc restarts it when no prompt is on its way to it` };
  return { kind: 'restart', megabytes, why: `${usage}; restarted` };
}
