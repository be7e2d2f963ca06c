import type { Instant } from '../../base/ports.ts';

/** A question of a run to a person. */
export interface Escalation {
  /** Unique in the run: people write `lit-2#3`. */
  readonly number: number;
  readonly type: EscalationType;
  readonly step: string | null;
  readonly text: string;
  readonly options: readonly string[];
  readonly recommended: string;
  readonly at: Instant;
  /** For a compensation: the stage that the run would go back to. */
  readonly target: string | null;
  /** For a compensation: why, without the consequences that the text adds for a person. */
  readonly reason?: string;
  /** When it answers itself; null: it waits for as long as a person likes. */
  readonly deadline: AnswerDeadline | null;
  readonly answer: EscalationAnswer | null;
  /** The worker in whose terminal alone it can be answered: its agent is not logged in, for example. */
  readonly terminal?: string;
  /** For a role that no agent can work in: what each of them came to. */
  readonly lost?: LostAgents;
}

export interface LostAgents {
  readonly agents: readonly LostAgent[];
  /** The file with the last screen of the last one. */
  readonly output: string | null;
}

export interface LostAgent {
  readonly agent: string;
  readonly attempts: number;
  readonly why: string;
}

export interface AnswerDeadline {
  readonly option: string;
  readonly at: Instant;
  /** Half-way: the run says so. */
  readonly warnAt: Instant;
  readonly warned: boolean;
}

export interface EscalationAnswer {
  readonly option: string;
  readonly text: string | null;
  readonly at: Instant;
  /** `default`: nobody answered in time. `run`: it needed no answer any more. */
  readonly by: 'person' | 'default' | 'run';
}

export type EscalationType =
  /** A person is the reviewer of a stage. */
  | 'approval'
  /** The agent asks something. */
  | 'blocked'
  | 'timeout'
  | 'crash'
  | 'invalid_output'
  /** A role has no usable agent. */
  | 'unavailable'
  /** Every place for an agent is taken for too long, or the budget of the day is spent. */
  | 'resource'
  /** A stage's `require` does not hold, or its command failed. */
  | 'unmet'
  /** An operation of llmc failed. */
  | 'failed'
  /** Too few items of a `for_each` succeeded, or they agree on too little. */
  | 'quality_floor'
  /** A circuit breaker is open. */
  | 'circuit_breaker'
  /** Something that a person approved would be undone. */
  | 'compensation';
