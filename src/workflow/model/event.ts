import type { Instant } from '../../base/ports.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Plan } from '../definition/plan.ts';
import type { Result, RoleState, Step } from './run.ts';

/** What happened to a run. It is stored before it is decided on, and under one key once only. */
export interface RunEvent {
  readonly key: string;
  readonly at: Instant;
  /** 0 to 1, drawn when the event was stored: decisions repeat exactly. */
  readonly dice: number;
  readonly what: What;
}

export type What =
  | { readonly kind: 'begin' }
  | { readonly kind: 'tick' }
  /** llmc did not run for this long, and perhaps the machine did not either. It counts against no time. */
  | { readonly kind: 'away'; readonly ms: number }
  | AboutAction
  /** `given`: the agent has the answer already, in the dialog that it had open. */
  | {
      readonly kind: 'decided';
      readonly escalation: number;
      readonly option: string;
      readonly text: string | null;
      readonly given?: true;
    }
  | { readonly kind: 'abort'; readonly why: string }
  /** `now`: without the time that agents have to save what they have. */
  | { readonly kind: 'pause'; readonly now: boolean }
  | { readonly kind: 'resume'; readonly how: Resumption }
  | { readonly kind: 'checkpoint'; readonly note: string }
  /** A run that has ended goes on from a checkpoint. */
  | ({ readonly kind: 'recovered' } & Restored)
  /** `from`: a role, or `person`. */
  | {
      readonly kind: 'message';
      readonly from: string;
      readonly to: string;
      readonly text: string;
      /** An agent left it in its worktree: nobody has told it yet what became of the message. */
      readonly byFile?: true;
    }
  /** An agent left a message that cannot be read. */
  | { readonly kind: 'unreadable'; readonly from: string; readonly problem: string };

/**
 * How a paused run goes on: as it is, with a stage or an item from its beginning, without what a stage still waits for, or with another
 * plan.
 */
export type Resumption =
  | { readonly kind: 'go_on' }
  | { readonly kind: 'again'; readonly address: string }
  | { readonly kind: 'skip_to'; readonly stage: string }
  /** With a changed workflow. */
  | { readonly kind: 'changed'; readonly plan: Plan };

/** In characters: many pages. A message stays in the state of the run until it is delivered. */
export const LONGEST_MESSAGE = 16_384;

/** What a recovery gives back to a run. */
export interface Restored {
  readonly checkpoint: string;
  /** A stage, an item or a stage of an item that begins again, with everything after it. */
  readonly from?: string;
  readonly steps: Readonly<Record<string, Step>>;
  readonly roles: Readonly<Record<string, RoleState>>;
  /** The sessions that are still there stay. */
  readonly keepAgents: boolean;
  readonly dropMessages: boolean;
  readonly warnings: readonly string[];
}

/** Everything that answers an action. It counts only while a step waits for that very action. */
export type AboutAction = {
  readonly action: string;
} /** The agent has accepted the task; shell lines run; a landing waits for its review. */ & (
  | { readonly kind: 'started' }
  /** The worker has the task on its record; its agent does not yet. */
  | { readonly kind: 'given' }
  /** The agent is at work on what it was told before, and gets this when its turn ends. */
  | { readonly kind: 'busy' }
  /** What the look at an agent whose time is up showed. */
  | { readonly kind: 'nudged'; readonly works: boolean }
  /** The action has waited for a place longer than it should. */
  | { readonly kind: 'queued' }
  /** The agent's turn is over. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'collected'; readonly result: Result }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  /** The agent waits for an answer, or has it. */
  /** `terminal`: the worker in whose terminal alone this can be answered. */
  | { readonly kind: 'asked'; readonly question: string; readonly terminal?: string }
  | { readonly kind: 'answered' }
  | { readonly kind: 'crashed'; readonly error: ErrorRecord }
  /** The action could not be performed. */
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
  /** An action that no step waits for could not be performed: a message, or the end of a session. */
  | { readonly kind: 'not_done'; readonly error: ErrorRecord }
  /** The agent waits, and its time does not count. `limit`: its account is at its usage limit, until then if that is known. */
  | { readonly kind: 'parked'; readonly limit?: { readonly untilMs: Instant | null } }
  | { readonly kind: 'unparked' }
  /** An outside cause ended the agent: no attempt is charged. */
  | { readonly kind: 'lost' }
  /** `late`: a line took longer than it may. */
  | { readonly kind: 'checked'; readonly passed: boolean; readonly late?: boolean; readonly output: string }
  /** The agent was not at work any more when its message came. */
  | { readonly kind: 'undelivered'; readonly to: string; readonly from: string; readonly text: string }
  /** A worker that was to be removed is still there: a person has its work, or it could not be removed. */
  | { readonly kind: 'kept'; readonly seat: string; readonly why: string }
  /** Null: main had the change already. */
  | { readonly kind: 'landed'; readonly commit: string | null }
  | { readonly kind: 'rejected'; readonly feedback: string }
  /** A landing is not on main any more. `revert`: the commit that did it; null if it was not there, or if it was only offered. */
  | { readonly kind: 'undone'; readonly revert: string | null }
);
