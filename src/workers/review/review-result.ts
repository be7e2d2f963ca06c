import type { Proof } from '../../proof/proof.ts';
import type { Worker } from '../../store/state.ts';
import type { AttentionReport } from '../status/attention-text.ts';
import type { ReviewWarning } from './review-warning.ts';

export interface ReviewResult extends AttentionReport {
  /** `work`: commits to land. `answer`: an answer without a commit. `unfinished`: a turn that ended without what its task asked for. */
  readonly kind: 'work' | 'answer' | 'unfinished';
  /** What the agent answered, if the task asked for an answer. */
  readonly answer: ReviewedAnswer | null;
  readonly worker: string;
  readonly branch: string;
  readonly worktree: string;
  readonly base: string;
  readonly head: string;
  /** The task as the person gave it. */
  readonly task: string | null;
  /** The agent's last message of the turn that finished the task. */
  readonly summary: string | null;
  /** The commits that would land as one, oldest first. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  /** The message of the commit that would land: without attribution lines, and of several commits as one. */
  readonly message: string;
  /** What the agent wrote for it: not the message if a person has edited that in the view. */
  readonly agent_message: string;
  /** The message is that of a person, and was it written for these words of the agent? */
  readonly message_edit: 'none' | 'current' | 'outdated';
  /** The author of the commit that would land, as `name <address>`. */
  readonly author: string;
  readonly files: readonly ReviewedFile[];
  readonly stat: string;
  readonly diff: string;
  readonly uncommitted: readonly string[];
  /** What a reviewer could overlook or misread. */
  readonly warnings: readonly ReviewWarning[];
  /** What `[repo] format` changed in this work before it was shown. */
  readonly formatted: { readonly lines: readonly string[]; readonly files: readonly string[] } | null;
  /** What the validation commands said about these very files; null if they have not run on them, or there are none. */
  readonly validation: ReviewedValidation | null;
  /** How many validation commands an accept would run. */
  readonly validation_commands: number;
  /** What became of both sides' lines, if a conflict was resolved. */
  readonly proof: Proof | null;
  /** The rescue of the work from before that conflict, if the result lacks something of it. */
  readonly rescue: string | null;
  /** What this work would conflict with. */
  readonly conflicts: readonly PredictedConflict[];
  /** Other pending work that was not compared. */
  readonly not_compared: readonly string[];
  /** Where an accept without a place lands it, if a person has chosen that before; a null branch is main. */
  readonly chosen_place: Worker['chosen_place'];
  /** The branch that it lands on because its run has landed there before; null if a person chose, and if the configuration says so anyway. */
  readonly run_branch: string | null;
  /** What changed since it was sent back, and with which remarks; null if it was not. */
  readonly since: SinceReview | null;
  /** The comments on it that a person has written in the view and not sent. */
  readonly draft_comments: number;
  /** The other workers that wait for a review, in the order of the queue. */
  readonly waiting: readonly string[];
}

/** `diff` is null if there is nothing to compare with: nobody had seen the work, or its lines have changed on main too. */
export interface SinceReview {
  /** The newest commit that a person had seen whole. */
  readonly reviewed: string | null;
  readonly feedback: string;
  /** `at`: `file:line` of the reviewed work; `quoted`: that line. */
  readonly notes: readonly { readonly at: string; readonly text: string; readonly quoted: string }[];
  readonly at_unix: number;
  readonly files: readonly ReviewedFile[];
  readonly stat: string;
  readonly diff: string | null;
}

export interface ReviewedAnswer {
  /** Whole, as the agent wrote it; usually Markdown. */
  readonly text: string;
  /** `screen`: the agent reports no messages, and this was read from its screen. */
  readonly source: 'message' | 'screen';
  /** It was longer than llmc keeps. */
  readonly cut: boolean;
  /** The number of the task; null if it has none. */
  readonly task: number | null;
  readonly at_unix: number | null;
}

export interface ReviewedFile {
  readonly path: string;
  /** The letter of git: added, deleted, modified, renamed, copied, or of another type than before. */
  readonly status: string;
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
  /** The blobs; null where the file does not exist or is a submodule. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface ReviewedValidation {
  readonly passed: boolean;
  /** The command line that failed, and why. */
  readonly failed_line: string | null;
  readonly reason: string | null;
  /** The file with the whole output. */
  readonly log: string;
  readonly took_ms: number;
  readonly at_unix: number;
}

export interface PredictedConflict {
  /** A worker, or the main branch. */
  readonly with: string;
  readonly kind: 'main' | 'worker';
  readonly files: readonly string[];
}
