import type { ErrorCode } from '../../base/error-codes.ts';
import type { Instant } from '../../base/ports.ts';
import type { BreakerPolicy } from '../../recovery/decide-breaker.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Output, Plan } from '../definition/plan.ts';
import type { Escalation } from './escalation.ts';
import type { Letter, Run } from './run.ts';

/** Something that the engine performs after the decision is stored, and again after a crash: its id makes it happen once. */
export interface Action {
  readonly id: string;
  readonly step: string;
  readonly task: Task;
}

export const TASK_KINDS = [
  'attempt',
  'follow_up',
  'save',
  'nudge',
  'collect',
  'check',
  'land',
  'deliver',
  'rest',
  'halt',
  'dismiss',
  'archive',
  'undo',
] as const satisfies readonly Task['kind'][];

export type Task =
  /** A run worker gets the stage's task. */
  | (Seated & {
      readonly kind: 'attempt';
      readonly role: string;
      readonly agent: 'own' | 'fallback';
      /** `-r2` and the like. */
      readonly session: string;
      readonly conversation: 'fresh' | 'resume';
      /** Earlier attempts at the same piece of work: a worker that had one of them keeps its worktree. */
      readonly continues: readonly string[];
      /** What is left of the session of an earlier try is ended first. */
      readonly endSession?: true;
      /** The commit that the worktree stands on; null for main. */
      readonly base: string | null;
      readonly output: Output;
      readonly prompt: string;
      /** Results of earlier stages that the agent can read. */
      readonly reads: readonly string[];
      /** Messages that came while nobody worked in the role. */
      readonly letters: readonly Letter[];
      /** The commits whose difference a reviewer gets as a file; `from` null: where the work left main. */
      readonly diff: { readonly from: string | null; readonly to: string } | null;
    })
  /** The worker that has the step's task is told something. */
  | (Seated & { readonly kind: 'follow_up'; readonly text: string; readonly letters: readonly Letter[] })
  /** The agent is interrupted, and told to leave what it has. */
  | (Seated & { readonly kind: 'save'; readonly text: string })
  /** An agent whose time is up is looked at, and asked how far it is; only looked at if `text` is null. */
  | (Seated & {
      readonly kind: 'nudge';
      readonly text: string | null;
      /** An agent without progress is interrupted: it did not answer before. */
      readonly interrupt: boolean;
      /** When it took the question before; only what it did since counts as an answer. */
      readonly takenMs: Instant | null;
      /** How long an agent at work shows nothing at most. */
      readonly silentMs: number;
    })
  | (Seated & {
      readonly kind: 'collect';
      readonly output: Output;
      readonly verdict: boolean;
      /** The agent was told to save: what it left counts only if it says that the work is finished. */
      readonly saved?: true;
    })
  | {
      readonly kind: 'check';
      readonly lines: readonly string[];
      readonly base: string | null;
      /** The timeout of the stage, if it has one of its own. */
      readonly timeoutMs?: number;
    }
  /** `marks`: what a reviewer must know about the work, such as `unverified`. */
  | (Seated & {
      readonly kind: 'land';
      readonly of: string;
      readonly commit: string;
      readonly by: 'person' | 'run';
      readonly marks?: readonly string[];
    })
  /** A message for a role whose agent is at work. */
  | (Seated & { readonly kind: 'deliver'; readonly to: string; readonly from: string; readonly text: string })
  /** Ends the session and keeps worktree and conversation. */
  | (Seated & { readonly kind: 'rest' })
  | (Seated & {
      /** Stops the agent at its work, and lets it rest. */
      readonly kind: 'halt';
      /** The actions that gave it this piece of work. */
      readonly tried: readonly string[];
      readonly attempt: number;
      /** Files of its results that are stored already, each with its hash: they are not unfinished work. */
      readonly stored?: Readonly<Record<string, string>>;
      /** Without it, what the agent has left is kept. */
      readonly keeps?: false;
    })
  /** Removes the worker, after saving what no ref of the run has. */
  | (Seated & { readonly kind: 'dismiss' })
  | ArchiveTask
  /** A landing is taken back from main. One that a person has not accepted yet is withdrawn: `offer` is the action that offered it. */
  | (Seated & { readonly kind: 'undo'; readonly commit: string | null; readonly offer: string | null });

/** Performed also when no step waits for it: what ends the use of a worker, messages, and what was undone. */
export const LASTING_KINDS: readonly Task['kind'][] = ['rest', 'halt', 'dismiss', 'deliver', 'archive'];

/** What would set a run in motion: it stays in the queue while the run is pausing or paused. */
export const HELD_KINDS: readonly Task['kind'][] = ['attempt', 'follow_up', 'nudge', 'check', 'land', 'undo'];

/** The results of a step that was undone: its files and its commit. */
export interface ArchiveTask {
  readonly kind: 'archive';
  /** Of the compensation. */
  readonly number: number;
  readonly folder: string;
  readonly files: readonly string[];
  readonly commit: string | null;
}

/** A place for one worker of a run: `developer`, and `developer-2` if the first is still needed elsewhere. */
interface Seated {
  readonly seat: string;
}

export const CHECKPOINT_TYPES = ['session_start', 'stage_complete', 'periodic', 'before_retry', 'error_recovery', 'manual'] as const;
export type CheckpointType = (typeof CHECKPOINT_TYPES)[number];

export interface CheckpointRecord {
  readonly kind: 'checkpoint';
  readonly type: CheckpointType;
  readonly note: string;
  /** The run at that moment of the decision: what the decision does to it afterwards may be what a person recovers from. */
  readonly run?: Run;
}

/** `cancelled`: a person, or the end of the run, ended it before its own end. `rolled back`: a rollback took the step away. */
export const RECOVERY_OUTCOMES = ['recovered', 'failed again', 'skipped', 'failed', 'cancelled', 'rolled back'] as const;
export type RecoveryOutcome = (typeof RECOVERY_OUTCOMES)[number];

export interface ProviderOutcome {
  /** Of the agent. */
  readonly account: string;
  /** The run and the step. */
  readonly by: string;
  readonly outcome: 'failed' | 'succeeded' | 'tried';
  readonly policy: BreakerPolicy;
}

/** What is stored in the same commit as the decision. */
export type RunRecord =
  | CheckpointRecord
  | { readonly kind: 'error'; readonly error: ErrorRecord }
  /** What became of what followed the failures of the step that were still open. */
  | { readonly kind: 'settled'; readonly step: string; readonly outcome: RecoveryOutcome; readonly code?: ErrorCode }
  /** A question that is new, or that has an answer now. */
  | { readonly kind: 'question'; readonly question: Escalation }
  /** The run has another plan from now on; the one before is kept. */
  | { readonly kind: 'plan'; readonly before: Plan }
  /** Messages that nobody has begun to deliver are dropped. */
  | { readonly kind: 'drop_messages' }
  /** The service behind an agent failed or answered, or a step has the one try of its breaker. It counts over all runs. */
  | (ProviderOutcome & { readonly kind: 'provider' })
  | { readonly kind: 'history'; readonly step: string | null; readonly text: string };
