import type { Instant } from '../../base/ports.ts';
import type { RunCheckResult } from '../../store/tables/checks.ts';
import type { AboutAction } from '../model/event.ts';

/** What a run needs of its workers. Every call can be repeated after a crash: an id that was used already does nothing again. */
export interface RunWorkers {
  /** Makes the worker and its worktree, unless they are there. */
  make(worker: NewRunWorker): Promise<void>;
  /** Undefined for a worker that does not exist, or that a person removed. */
  view(name: string): RunWorkerView | undefined;
  /** Gives a task. The session comes up for it, if it rests. */
  give(task: GivenTask): Promise<void>;
  /** Tells more about the task that the worker has. The session comes up for it, if it rests. */
  followUp(message: WorkerMessage): Promise<void>;
  /** Passes a message on to an agent at work. False: it is not at work any more. */
  deliver(message: WorkerMessage): Promise<boolean>;
  /** Asks an agent in its task how far it is, once its turn ends. Its task stays the one that it has. */
  nudge(message: WorkerMessage): Promise<void>;
  /** When its agent last showed that it works; null if nobody has observed it. */
  progressAt(name: string): Instant | null;
  /** Ends the session, and keeps worktree and conversation. */
  rest(name: string): Promise<void>;
  /** Stops the agent at its work, then as `rest`. */
  halt(name: string): Promise<void>;
  /** Removes the worker, after saving what it left. False: a person has its work, so it stays. */
  dismiss(name: string): Promise<boolean>;
  /** Puts the worker's work up for review, or lands it at once. What has landed already is not offered again. */
  offer(landing: LandingOffer): Promise<Offered>;
  /**
   * Takes a landed commit of the worker back from main, by a commit that does the opposite, and returns that commit; null if main does
   * not have it any more. Work that was only offered is withdrawn; if a person was faster, it is taken back too.
   */
  undo(landed: { readonly worker: string; readonly commit: string | null; readonly offer: string | null }): Promise<string | null>;
  /** Runs shell lines in a worktree of the run that stands on a commit, or on main. */
  check(check: RunCheck): Promise<RunCheckResult>;
  /** Ends the shell lines that an earlier process of llmc left running. */
  endLeftChecks(): Promise<void>;
  /** The workers of all runs whose session lives or comes up. */
  living(): readonly LivingWorker[];
  /** What happened to tasks and was not relayed yet, the oldest first. */
  outcomes(): readonly TaskOutcome[];
  relayed(outcomes: readonly TaskOutcome[]): void;
}

export interface NewRunWorker {
  readonly name: string;
  readonly run: string;
  readonly role: string;
  /** Undefined: the default of the configuration. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  /** What its agents are told about their role. */
  readonly prompt: string;
}

export interface RunWorkerView {
  readonly worktree: string;
  /** The last action that gave it something to do. */
  readonly task: string | null;
  /** Whether it can be told more about that task. After its database was lost, llmc does not know any more what the task was. */
  readonly continues: boolean;
  /** The commit that its task began at. */
  readonly base: string | null;
  /** Its last message, cut. */
  readonly answer: string | null;
  /** Messages of its run that were not sent to it since its last task. */
  readonly missed: readonly { readonly id: string; readonly text: string }[];
}

export interface GivenTask {
  /** The id of the action. */
  readonly id: string;
  readonly worker: string;
  /** The agent that does it. Undefined: the default of the configuration. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  /** What follows the worker's name in the name of its session, such as `-r2`. */
  readonly session: string;
  /** `keep`: what an earlier attempt left stays. Otherwise the worktree is reset to `base`. */
  readonly worktree: 'keep' | 'reset';
  /** Null: main. */
  readonly base: string | null;
  readonly conversation: 'fresh' | 'resume';
  readonly expects: 'commit' | 'answer' | 'artifact';
  /** The files that it should leave, relative to the folder for results. */
  readonly files: readonly string[];
  readonly prompt: string;
}

export interface WorkerMessage {
  readonly id: string;
  readonly worker: string;
  readonly text: string;
  /** Ends the turn that the agent is in, instead of waiting for its end. */
  readonly interrupt?: boolean;
}

/** `landed`: before this landing; null if main had the change already. */
export type Offered = { readonly kind: 'offered' } | { readonly kind: 'landed'; readonly commit: string | null };

export interface LandingOffer {
  readonly id: string;
  readonly run: string;
  readonly worker: string;
  readonly commit: string;
  /** What the work is about, in the words of the person who started the run. */
  readonly task: string;
  readonly by: 'person' | 'run';
  /** What the run says about the work: `unverified`, `partial`. */
  readonly marks: readonly string[];
}

export interface RunCheck {
  readonly id: string;
  readonly run: string;
  readonly base: string | null;
  readonly lines: readonly string[];
  /** How long one line may take; null: as long as every other command of the user. */
  readonly timeoutMs: number | null;
  /** Called when the lines begin: another check may have the worktree before. */
  readonly onStart: () => Promise<void>;
  /** Ends the lines with everything that they started. */
  readonly signal: AbortSignal;
}

export interface LivingWorker {
  readonly name: string;
  /** Its agent has something to do: it may not be put to rest. */
  readonly busy: boolean;
}

export interface TaskOutcome {
  readonly seq: number;
  readonly run: string;
  readonly at: Instant;
  /** Null: nothing that the run has to decide on. */
  readonly what: AboutAction | null;
}
