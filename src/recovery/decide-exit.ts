import type { Activity } from '../agents/activity.ts';
import type { Instant } from '../base/ports.ts';
import { type Crashes, crashesInARow } from './crashes.ts';

export interface ExitPolicy {
  /** llmc calls a person at this many crashes in a row, and starts the agent again after each earlier one. */
  readonly maxCrashes: number;
  /** An agent that lived shorter than this never really started. */
  readonly stillbornMs: number;
}

export interface ExitView {
  readonly worker: Crashes & { readonly status: string };
  /** The agent can resume its conversation. */
  readonly resumable: boolean;
  readonly activity: Extract<Activity, { kind: 'exited' }>;
  readonly livedMs: number;
  /** It was started to resume its conversation and ended before it was ready. A crash after that is a crash like any other. */
  readonly resumeFailed: boolean;
  /** Observed twice: one wrong answer of tmux must not end anything. */
  readonly confirmed: boolean;
  /** llmc has already called a person because of this end. */
  readonly counted: boolean;
}

export type ExitStep =
  | { readonly kind: 'wait'; readonly why: string }
  | { readonly kind: 'fail'; readonly why: string }
  /** Finished work waits for a person and needs no agent. `called`: the person knows that it has none. */
  | { readonly kind: 'rest'; readonly called: boolean; readonly why: string }
  | {
      readonly kind: 'relaunch';
      readonly conversation: 'resume' | 'fresh';
      /** Send the agent a prompt to continue its task. */
      readonly goOn: boolean;
      readonly countsAsCrash: boolean;
      readonly why: string;
    };

/** Decides what to do about an agent whose process ended without an order of llmc. */
export function decideExit(view: ExitView, policy: ExitPolicy, now: Instant): ExitStep {
  const { worker, activity } = view;
  if (!view.confirmed) return { kind: 'wait', why: 'the end was observed once; observing again before acting' };
  const conversation = view.resumable ? 'resume' : 'fresh';
  const stillborn = view.livedMs < policy.stillbornMs;
  const waitsForReview = worker.status === 'needs_review';
  if (view.counted && waitsForReview) return { kind: 'rest', called: true, why: 'its finished work waits for review' };
  if (view.counted) {
    return {
      kind: 'relaunch',
      conversation: view.resumeFailed ? 'fresh' : conversation,
      goOn: true,
      countsAsCrash: false,
      why: 'a person continued the worker; starting its agent again',
    };
  }
  // llmc would restart a program that always ends at once, even with status 0, forever.
  if (activity.how === 'user' && !stillborn) {
    return {
      kind: 'relaunch',
      conversation,
      goOn: false,
      countsAsCrash: false,
      why: 'a person closed the agent; starting it again without a prompt',
    };
  }
  if (crashesInARow(worker, now) + 1 >= policy.maxCrashes) {
    const ended = `the agent ended ${policy.maxCrashes} times in a row`;
    return waitsForReview ? { kind: 'rest', called: false, why: ended } : { kind: 'fail', why: ended };
  }
  if (view.resumeFailed) {
    return {
      kind: 'relaunch',
      conversation: 'fresh',
      goOn: true,
      countsAsCrash: true,
      why: 'the agent could not resume its conversation; starting a new one',
    };
  }
  const how = stillborn ? 'ended right after its start' : 'crashed';
  const why = conversation === 'resume' ? `the agent ${how}; resuming its conversation` : `the agent ${how}; starting a new conversation`;
  return { kind: 'relaunch', conversation, goOn: true, countsAsCrash: true, why };
}
