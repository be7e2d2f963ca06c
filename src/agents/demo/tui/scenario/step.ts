export const FAILURE_TYPES = ['rate_limit', 'overloaded', 'network', 'auth', 'billing', 'invalid_request', 'context_full', 'api'] as const;
export type FailureType = (typeof FAILURE_TYPES)[number];

export type Change =
  | { readonly how: 'content'; readonly text: string }
  | { readonly how: 'append'; readonly text: string }
  | { readonly how: 'replace'; readonly old: string; readonly new: string };

/**
 * What the agent does with the conflicts of a rebase. `main`, `worker`: keeps only that side. `staged`: keeps both and does not
 * continue. `markers`: stages the files as git left them.
 */
export const RESOLVES = ['both', 'main', 'worker', 'staged', 'markers', 'abort'] as const;
export type Resolve = (typeof RESOLVES)[number];

/** What the agent leaves in place of a result that a run can use. `wrong`: it parses, and does not fit its schema. */
export const BAD_RESULTS = ['missing', 'empty', 'broken', 'wrong', 'binary', 'huge', 'link', 'folder', 'pipe'] as const;
export type BadResult = (typeof BAD_RESULTS)[number];

export type ResultContent =
  /** By the name of the file; a verdict approves. */
  | { readonly how: 'good' }
  | { readonly how: 'text'; readonly text: string }
  | { readonly how: 'bad'; readonly bad: BadResult }
  /** A verdict with these issues, in the first rounds of the conversation; null: in every round. */
  | { readonly how: 'remarks'; readonly issues: readonly string[]; readonly rounds: number | null };

/** One step of a turn. Scenario files write these as YAML; see docs/demo-agent.md. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly change: Change }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'resolve'; readonly how: Resolve }
  | { readonly kind: 'take'; readonly ms: number }
  /** A file below `.llmc-task/out/`; null: every file that the task asks for. */
  | { readonly kind: 'leave'; readonly file: string | null; readonly content: ResultContent }
  | { readonly kind: 'message'; readonly to: string; readonly text: string }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number; readonly note: string }
  | { readonly kind: 'commit'; readonly message: string }
  | {
      readonly kind: 'ask';
      readonly question: string;
      readonly choices: readonly string[];
      readonly freeText: boolean;
      /** The steps after each answer, by label; `other` is for all other answers. */
      readonly answers: Readonly<Record<string, readonly Step[]>>;
    }
  | { readonly kind: 'request_permission'; readonly tool: string; readonly command: string }
  | { readonly kind: 'exit'; readonly status: number }
  | {
      readonly kind: 'fail';
      readonly type: FailureType;
      readonly message: string;
      readonly resetsInMs: number | null;
      readonly continues: boolean;
    }
  | { readonly kind: 'misbehave'; readonly what: MisbehaviourSpec };

/** A misbehaviour by name; each one defines the meaning of its value. */
export interface MisbehaviourSpec {
  readonly name: string;
  readonly value?: number | readonly string[];
}

export interface Turn {
  /** Matches the prompt; without it the turn is for the next prompt, once. */
  readonly when?: RegExp;
  readonly misbehave: readonly MisbehaviourSpec[];
  readonly steps: readonly Step[];
}

export interface Scenario {
  readonly trustDialog: boolean;
  readonly misbehave: readonly MisbehaviourSpec[];
  readonly turns: readonly Turn[];
}

export const NO_SCENARIO: Scenario = { trustDialog: false, misbehave: [], turns: [] };
