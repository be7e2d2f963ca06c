import type { Activity } from '../agents/activity.ts';
import type { Instant } from '../base/ports.ts';
import type { Worker } from '../store/state.ts';

export interface ExitPolicy {
  readonly maxCrashes: number;
  /** An agent that lived shorter than this never really started. */
  readonly stillbornMs: number;
}

export interface ExitView {
  readonly worker: Worker;
  readonly activity: Extract<Activity, { kind: 'exited' }>;
  readonly livedMs: number;
  readonly wasResumed: boolean;
  /** Seen twice, so that one odd answer of tmux ends nothing. */
  readonly confirmed: boolean;
}

export type ExitStep =
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'fail'; readonly why: string }
  | {
      readonly kind: 'relaunch';
      readonly conversation: 'resume' | 'fresh';
      /** Tell the agent to go on with its task. */
      readonly goOn: boolean;
      readonly countsAsCrash: boolean;
      readonly why: string;
    };

/** What to do about an agent whose process ended although nobody asked llmc to end it. */
export function decideExit(view: ExitView, policy: ExitPolicy, _now: Instant): ExitStep {
  const { worker, activity } = view;
  if (!view.confirmed) return { kind: 'wait', why: 'seen once; looking again before acting' };
  const conversation = worker.conversation_used ? 'resume' : 'fresh';
  if (activity.how === 'user') {
    return {
      kind: 'relaunch',
      conversation,
      goOn: false,
      countsAsCrash: false,
      why: 'somebody closed the agent; it is started again and left at its prompt',
    };
  }
  if (worker.crash_count + 1 > policy.maxCrashes) return { kind: 'fail', why: `the agent ended ${policy.maxCrashes + 1} times in a row` };
  if (view.livedMs < policy.stillbornMs && view.wasResumed) {
    return {
      kind: 'relaunch',
      conversation: 'fresh',
      goOn: true,
      countsAsCrash: true,
      why: 'the conversation could not be taken up again; starting a new one',
    };
  }
  return { kind: 'relaunch', conversation, goOn: true, countsAsCrash: true, why: 'the agent crashed; its conversation is taken up again' };
}
