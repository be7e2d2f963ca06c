import type { Expected } from '../../store/tables/tasks.ts';

export interface TaskRequest {
  /** Of the task and of its prompt's delivery: a task with a known id was given before. */
  readonly id: string;
  readonly worker: string;
  /** The commit that the work begins at; null for main, or the branch that the run's work lands on. */
  readonly base: string | null;
  /** `resume`: the agent goes on in its conversation. */
  readonly conversation: 'fresh' | 'resume';
  /** `keep`: what an earlier try left stays, with the commit that it began at. Otherwise the worktree is reset to `base`. */
  readonly worktree: 'keep' | 'reset';
  readonly expects: Expected;
  readonly prompt: string;
  /** What follows the worker's name in the name of the session, such as `-r2`. */
  readonly session: string;
  /** The agent that does it, if it changes: it starts in the same worktree, without the conversation of the other. */
  readonly agent?: string | undefined;
  readonly model?: string | null | undefined;
}
