import type { Instant } from '../../base/ports.ts';
import type { Worker } from '../../store/state.ts';
import { judgeOwner } from '../../workers/tasks/owner.ts';
import { hasEnded } from '../next/next.ts';
import type { RunSummary } from '../store/ports.ts';

export interface CleaningRequest {
  readonly runs: boolean;
  readonly worktrees: boolean;
  readonly olderThanMs: number;
}

export interface CleaningFacts {
  readonly runs: readonly (Pick<RunSummary, 'id' | 'status' | 'endedMs'> & {
    /** Something of it waits for the supervisor. */
    readonly open: boolean;
  })[];
  readonly workers: readonly Pick<Worker, 'name' | 'run' | 'status' | 'status_before_offline' | 'last_activity_unix'>[];
  /** Worktrees that no worker has. */
  readonly left: readonly { readonly name: string; readonly changedMs: Instant }[];
}

/** What a cleaning takes, by name. */
export interface Cleaning {
  readonly runs: readonly string[];
  /** Workers of runs that have ended, or that nobody knows any more. */
  readonly workers: readonly string[];
  /** Worktrees that no worker has. */
  readonly left: readonly string[];
  readonly kept: readonly Kept[];
}

/** Old enough, and still needed. */
export interface Kept {
  readonly name: string;
  readonly reason: KeptReason;
}

export type KeptReason =
  /** A person reviews its work, or has sent it back. */
  | { readonly kind: 'person' }
  /** Of a run: this worker of it is still there. */
  | { readonly kind: 'has_worker'; readonly worker: string }
  /** Of a run: the supervisor has something to do for it. */
  | { readonly kind: 'unfinished' }
  /** Of a worktree: a process runs in its session. */
  | { readonly kind: 'session' }
  | { readonly kind: 'failed'; readonly message: string };

/** Decides what is old enough to go and needed by nobody. A run that has not ended is not even looked at. */
export function planCleaning({ runs, workers, left }: CleaningFacts, request: CleaningRequest, now: Instant): Cleaning {
  const isOld = (at: Instant | null): boolean => at !== null && now - at >= request.olderThanMs;
  const ended = new Map(runs.filter((run) => hasEnded(run)).map((run) => [run.id, run.endedMs]));
  const known = new Set(runs.map(({ id }) => id));
  const unneeded = workers.filter(({ run, last_activity_unix }) => {
    if (run === null) return false;
    return known.has(run.id) ? isOld(ended.get(run.id) ?? null) : isOld(last_activity_unix * 1_000);
  });
  const taken = request.worktrees ? unneeded.filter((worker) => judgeOwner(worker) === 'run').map(({ name }) => name) : [];
  const kept: Kept[] = request.worktrees
    ? unneeded.filter((worker) => judgeOwner(worker) === 'person').map(({ name }) => ({ name, reason: { kind: 'person' } }))
    : [];
  const archived: string[] = [];
  for (const { id, endedMs, open } of request.runs ? runs : []) {
    if (!ended.has(id) || !isOld(endedMs)) continue;
    const worker = workers.find(({ name, run }) => run?.id === id && !taken.includes(name));
    if (worker !== undefined) kept.push({ name: id, reason: { kind: 'has_worker', worker: worker.name } });
    else if (open) kept.push({ name: id, reason: { kind: 'unfinished' } });
    else archived.push(id);
  }
  const folders = request.worktrees ? left.filter(({ changedMs }) => isOld(changedMs)).map(({ name }) => name) : [];
  return { runs: archived, workers: taken, left: folders, kept };
}
