import type { Instant } from '../../base/ports.ts';
import type { Breaker } from '../../recovery/decide-breaker.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Action, CheckpointType, RecoveryOutcome } from '../model/action.ts';
import type { Escalation } from '../model/escalation.ts';
import type { RunEvent } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import type { Decision } from '../next/turn.ts';

/** What a run was, is and has still to decide on. Asynchronous and narrow, so that another database can stand behind it. */
export interface RunStore {
  /** Stores a new run and its first event. False: there is a run with this id. */
  create(run: Run, first: RunEvent): Promise<boolean>;
  /** Throws STATE_INVALID for a run whose record cannot be read. */
  load(id: string): Promise<Run | undefined>;
  /** The newest first. */
  list(): Promise<readonly RunSummary[]>;
  /** False: the run has an event with this key already, or there is no such run. */
  post(run: string, event: RunEvent): Promise<boolean>;
  /** The oldest event of each run that nothing was decided on yet. */
  undecided(): Promise<readonly Undecided[]>;
  /** Stores a decision whole or not at all. False: the run has changed since, or the event was decided on. */
  commit(commit: RunCommit): Promise<boolean>;
  /** Adds a line to the history of a run, which nothing decides on. */
  note(run: string, text: string, at: Instant, step?: string | null): Promise<void>;
  /** Stores attempts of an operation that failed, and what the operation came to; null: it is tried again. */
  retried(run: string, key: string, failed: readonly FailedAttempt[], outcome: RetryOutcome | null): Promise<void>;
  /** The breakers of the services behind the agents, by the name of the agent; none for one that works. */
  providers(): Promise<Readonly<Record<string, Breaker>>>;
  /** The runs whose time has come and for which no event waits. */
  due(now: Instant): Promise<readonly string[]>;
  /** When the next run is due for which no event waits; null if none is. */
  nextDue(): Promise<Instant | null>;
}

/** `error`: the event cannot be read, so the run does not go on. */
export type Undecided = { readonly run: string } & ({ readonly event: RunEvent } | { readonly error: unknown });

export interface RunCommit {
  /** The version of the run that was decided on. */
  readonly version: number;
  readonly event: string;
  readonly decision: Decision;
  /** When the run has something to do without an event; null: only an event moves it. */
  readonly wakeAt: Instant | null;
  readonly at: Instant;
  /** How many checkpoints of the run stay; 10 if it is not said. */
  readonly keepCheckpoints?: number;
}

export interface RunSummary extends Pick<Run, 'id' | 'status' | 'version' | 'level'> {
  readonly workflow: string;
  readonly createdMs: Instant;
  readonly endedMs: Instant | null;
}

/** What runs leave behind, for people. Nothing is decided by it. */
export interface RunRecords {
  /** The lines after this number, the oldest first. */
  history(run: string, after?: number): Promise<readonly HistoryLine[]>;
  /** The oldest first. */
  errors(run: string): Promise<readonly LoggedError[]>;
  /** Every question with its answer, the oldest first. */
  questions(run: string): Promise<readonly Escalation[]>;
  /** The oldest first. */
  retries(run: string): Promise<readonly LoggedRetry[]>;
  /** What failed in any run, the oldest first. */
  errorLog(query: ErrorQuery): Promise<readonly (LoggedError & { readonly run: string })[]>;
  /** The newest first. */
  checkpoints(run: string): Promise<readonly CheckpointSummary[]>;
  /** Actions that are not performed yet, the oldest first. */
  openTasks(run: string): Promise<readonly OpenTask[]>;
  /** Whether an event waits for a decision, or a task for its performance. */
  hasOpenWork(run: string): Promise<boolean>;
  /** Whether the event was decided on. */
  isDecided(run: string, key: string): Promise<boolean>;
}

export interface HistoryLine {
  /** Rises over all runs. */
  readonly seq: number;
  readonly step: string | null;
  readonly at: Instant;
  readonly text: string;
}

/** `strategy` is what llmc really did about it. */
export interface LoggedError extends ErrorRecord {
  /** What became of that; null while it is open, and for a failure that nothing followed. */
  readonly outcome: RecoveryOutcome | null;
}

export const RETRY_OUTCOMES = ['succeeded', 'failed', 'cancelled'] as const;
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

/** An attempt of an operation that failed. */
export interface FailedAttempt {
  readonly step: string | null;
  readonly operation: string;
  /** From 1. */
  readonly attempt: number;
  readonly at: Instant;
  /** The wait before the next one; null if it was the last. */
  readonly delayMs: number | null;
  readonly error: ErrorRecord;
}

export interface LoggedRetry extends FailedAttempt {
  /** Of the operation: its attempts have the same. */
  readonly key: string;
  /** What the operation came to; null while it is tried. */
  readonly outcome: RetryOutcome | null;
}

/** Each condition can be left out. */
export interface ErrorQuery {
  readonly run?: string | undefined;
  readonly code?: string | undefined;
  readonly severity?: string | undefined;
  readonly step?: string | undefined;
  readonly role?: string | undefined;
  /** Only those that were not recovered from. */
  readonly open?: boolean;
  readonly since?: Instant | undefined;
  /** The newest of them. */
  readonly limit: number;
}

export interface CheckpointSummary {
  readonly id: string;
  readonly type: CheckpointType;
  readonly version: number;
  readonly at: Instant;
  readonly note: string;
  readonly completed: readonly string[];
  readonly pending: readonly string[];
}

export interface OpenTask {
  readonly id: string;
  readonly step: string;
  readonly kind: Action['task']['kind'];
  /** Claimed: it is being performed. */
  readonly state: 'open' | 'claimed';
  readonly runAt: Instant;
  /** How often it was claimed. */
  readonly attempt: number;
}

/**
 * Actions that wait to be performed. A commit of a run fills it, and takes out what no step waits for any more; the same database holds
 * both.
 */
export interface TaskQueue {
  /** What `claim` would take now, and what it would take but for `except`. */
  claimable(now: Instant): Promise<readonly DueTask[]>;
  /** When a task becomes due that is not due now: delayed, or claimed under a lease that can run out; null if there is none. */
  nextAt(now: Instant): Promise<Instant | null>;
  /** Gives back what an earlier process of this host had claimed: there is one process per host at a time. */
  takeBack(host: string): Promise<void>;
  /** Takes tasks that are due, the oldest first, at most one per key at a time. A lease that ran out is taken over. */
  claim(wanted: ClaimRequest): Promise<readonly Claim[]>;
  /** Prolongs the lease. False: another host has taken the task over. */
  heartbeat(claim: Claim, until: Instant): Promise<boolean>;
  /** The task is done. False: another host has taken it over. */
  settle(claim: Claim): Promise<boolean>;
  /** The task is tried again at that time. False: another host has taken it over. */
  release(claim: Claim, runAt: Instant): Promise<boolean>;
}

export interface ClaimRequest {
  readonly host: string;
  readonly now: Instant;
  readonly leaseMs: number;
  readonly limit: number;
  /** Tasks that have no place at the moment, such as attempts when every agent is in use. */
  readonly except?: readonly string[];
}

export interface DueTask {
  readonly run: string;
  readonly action: Action;
  /** Since when it is due. */
  readonly since: Instant;
}

export interface Claim {
  readonly run: string;
  readonly action: Action;
  /** Rises with every claim: the holder of an older one has lost the task. */
  readonly attempt: number;
  readonly host: string;
  /** An earlier performance ended without an answer: its process ended, or its lease ran out. */
  readonly takenOver: boolean;
}
