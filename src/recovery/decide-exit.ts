import type { Activity } from '../agents/activity.ts';
import type { Instant } from '../base/ports.ts';
import { type Crashes, crashesInARow } from './crashes.ts';

export interface ExitPolicy {
  /** With this many in a row a person is called; each before it is followed by a new start. */
  readonly maxCrashes: number;
  /** An agent that lived shorter than this never really started. */
  readonly stillbornMs: number;
}

export interface ExitView {
  readonly worker: Crashes & { readonly status: string };
  /** Its conversation can be taken up again. */
  readonly resumable: boolean;
  readonly activity: Extract<Activity, { kind: 'exited' }>;
  readonly livedMs: number;
  readonly wasResumed: boolean;
  /** Seen twice, so that one odd answer of tmux ends nothing. */
  readonly confirmed: boolean;
  /** A person was called for this very end. */
  readonly counted: boolean;
}

export type ExitStep =
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'fail'; readonly why: string }
  /** Finished work waits for a person and needs no agent; `called`: they know that it has none. */
  | { readonly kind: 'rest'; readonly called: boolean; readonly why: string }
  | {
      readonly kind: 'relaunch';
      readonly conversation: 'resume' | 'fresh';
      /** Tell the agent to go on with its task. */
      readonly goOn: boolean;
      readonly countsAsCrash: boolean;
      readonly why: string;
    };

/** What to do about an agent whose process ended although nobody asked llmc to end it. */
export function decideExit(view: ExitView, policy: ExitPolicy, now: Instant): ExitStep {
  const { worker, activity } = view;
  if (!view.confirmed) return { kind: 'wait', why: 'seen once; looking again before acting' };
  const conversation = view.resumable ? 'resume' : 'fresh';
  const stillborn = view.livedMs < policy.stillbornMs;
  const lost = stillborn && view.wasResumed;
  const waitsForReview = worker.status === 'needs_review';
  if (view.counted && waitsForReview) return { kind: 'rest', called: true, why: 'its work has not been decided on yet' };
  if (view.counted) {
    return {
      kind: 'relaunch',
      conversation: lost ? 'fresh' : conversation,
      goOn: true,
      countsAsCrash: false,
      why: 'a person sent the worker on; its agent is started again',
    };
  }
  // A program that ends at once, however politely, would be started again for ever.
  if (activity.how === 'user' && !stillborn) {
    return {
      kind: 'relaunch',
      conversation,
      goOn: false,
      countsAsCrash: false,
      why: 'somebody closed the agent; it is started again and left at its prompt',
    };
  }
  if (crashesInARow(worker, now) + 1 >= policy.maxCrashes) {
    const ended = `the agent ended ${policy.maxCrashes} times in a row`;
    return waitsForReview ? { kind: 'rest', called: false, why: ended } : { kind: 'fail', why: ended };
  }
  if (lost) {
    return {
      kind: 'relaunch',
      conversation: 'fresh',
      goOn: true,
      countsAsCrash: true,
      why: 'the conversation could not be taken up again; starting a new one',
    };
  }
  const how = stillborn ? 'ended right after its start' : 'crashed';
  const why = conversation === 'resume' ? `the agent ${how}; its conversation is taken up again` : `the agent ${how}; starting a new one`;
  return { kind: 'relaunch', conversation, goOn: true, countsAsCrash: true, why };
}
