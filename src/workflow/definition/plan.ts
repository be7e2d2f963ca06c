/** A workflow file once it is checked: defaults filled in, durations in milliseconds, every reference resolved. A run keeps its plan for ever. */
export interface Plan {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, WorkflowInput>>;
  readonly roles: Readonly<Record<string, Role>>;
  /** The whole run may take this long; time at a usage limit and paused time do not count. */
  readonly timeoutMs: number | undefined;
  readonly stages: readonly Stage[];
  /** Of everything above: the same text and the same digest give the same plan. */
  readonly digest: string;
}

export interface WorkflowInput {
  readonly type: 'text' | 'file' | 'items' | 'flag' | 'list' | 'one_of';
  readonly oneOf: readonly string[];
  readonly optional: boolean;
}

export interface Role {
  /** The agent of the root's `[defaults]` if undefined. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  /** The agent that takes over when this role's own agent cannot go on. */
  readonly fallback: string | undefined;
  /** What an agent in this role is told about itself. */
  readonly prompt: string;
  /** Undefined: the configuration says it. */
  readonly whenUnavailable: 'ask' | 'skip' | 'stop' | undefined;
}

export type ItemStage = WorkStage | ReviewStage | CommandStage | LandStage;
export type Stage = ItemStage | ForEachStage;

export interface StageBase {
  readonly id: string;
  /** The stages that must have ended. Those of an item are stages of the same item. */
  readonly needs: readonly string[];
  readonly when: Condition | undefined;
  /** Decides in place of `when` if a path of `when` has no value. */
  readonly whenUnknown: Condition | undefined;
  /** Ends the item if `when` does not hold. The text at the path says why. */
  readonly whenNot?: { readonly leave: string } | undefined;
  /** Must hold when the stage has its results, else the trigger is `unmet`. */
  readonly require: Condition | undefined;
  readonly timeoutMs: number | undefined;
  readonly circuitBreaker: CircuitBreaker | undefined;
  readonly onFailure: Partial<Readonly<Record<Trigger, Reactions>>>;
  /** Of this stage's own text: `resume --workflow` reruns the stages whose digest changed. */
  readonly digest: string;
}

export interface WorkStage extends StageBase {
  readonly kind: 'work';
  readonly role: string;
  readonly prompt: string;
  readonly output: Output;
  /** Later stages can do without its result. */
  readonly optional?: boolean | undefined;
}

/** Checks the result of an earlier stage; its remarks go back to the role that made it. */
export interface ReviewStage extends StageBase {
  readonly kind: 'review';
  readonly of: string;
  readonly by: Reviewer;
  readonly maxRounds: number;
  readonly prompt: string;
}

export type Reviewer =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'person' }
  | { readonly kind: 'command'; readonly lines: readonly string[] };

export interface ForEachStage extends StageBase {
  readonly kind: 'for_each';
  /** The path of a list. */
  readonly of: string;
  /** The field of an item that names it; without one, its number from 1. */
  readonly key: string | undefined;
  /** The field of an item that lists the items it waits for. */
  readonly after: string | undefined;
  readonly maxParallel: number;
  readonly agreeOn: string | undefined;
  readonly statusFile: string | undefined;
  readonly agents: string | undefined;
  /** One level only: an item has one address, `5/s3`. */
  readonly stages: readonly ItemStage[];
}

export interface CommandStage extends StageBase {
  readonly kind: 'command';
  readonly lines: readonly string[];
}

export interface LandStage extends StageBase {
  readonly kind: 'land';
  readonly of: string;
  readonly by: 'person' | 'run';
}

export type Output =
  | { readonly kind: 'commit' }
  | { readonly kind: 'answer' }
  | { readonly kind: 'files'; readonly files: readonly OutputFile[] };

export interface OutputFile {
  /** Relative to `.llmc-task/out/`. */
  readonly path: string;
  /** A JSON Schema that a YAML or JSON file must satisfy. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** One of these must hold. Data, so that a file or an agent's answer cannot inject an expression. */
export type Condition = AllOf | readonly AllOf[];

/** All paths must satisfy their test. */
export type AllOf = Readonly<Record<string, Test>>;

export interface Test {
  readonly is?: string | number | boolean;
  readonly in?: readonly (string | number | boolean)[];
  readonly min?: number;
  readonly max?: number;
}

export interface CircuitBreaker {
  readonly scope: 'stage' | 'item';
  readonly failures: number;
  readonly retryAfterMs: number;
  readonly whenOpen: 'partial' | 'skip' | 'ask' | 'abort';
  /** For `ask`: the answer that is taken after `afterMs`. */
  readonly default: string | undefined;
  readonly afterMs: number | undefined;
}

export const TRIGGERS = [
  'timeout',
  'crash',
  'invalid_output',
  'limit',
  'unmet',
  'disagreement',
  'network',
  'conflict',
  'inconsistent',
  'cannot_judge',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Tried in order; each entry once. */
export interface Reactions {
  /** The trigger counts only from this occurrence on. */
  readonly after: number;
  readonly steps: readonly Reaction[];
}

export type Reaction =
  | { readonly kind: 'retry' | 'restart' | 'substitute' | 'abort' }
  /** `mark`: what is said about the result that is missing. */
  | ({ readonly kind: 'skip'; readonly mark: string | undefined } & Notified)
  | ({ readonly kind: 'rollback'; readonly to: string } & Notified)
  /** Without options: those of the escalation's type. */
  | { readonly kind: 'ask'; readonly options: readonly string[] };

/** The run goes on by itself, and a person is notified: always, or if this holds. */
interface Notified {
  readonly notify?: true | Condition;
}
