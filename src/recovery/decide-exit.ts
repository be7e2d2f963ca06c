import type { Activity } from '../agents/activity.ts';
import type { ExitOutput } from '../agents/exit-output.ts';
import type { Instant } from '../base/ports.ts';
import { waitMs } from './backoff.ts';
import { type Crashes, crashesInARow } from './crashes.ts';
import type { ExitPolicy } from './policies/exit-policy.ts';

export interface ExitView {
  readonly worker: Crashes & { readonly status: string };
  /** The agent can resume its conversation. */
  readonly resumable: boolean;
  readonly activity: Extract<Activity, { kind: 'exited' }>;
  /** What its last lines say. */
  readonly output: ExitOutput | undefined;
  readonly livedMs: number;
  /** It is a program without patterns, and it had taken a prompt: with status 0 it has done it. */
  readonly tookPrompt?: boolean;
  /** It was started to resume its conversation and ended before it was ready. A crash after that is a crash like any other. */
  readonly resumeFailed: boolean;
  /** Observed twice: one wrong answer of tmux must not end anything. */
  readonly confirmed: boolean;
  /** llmc has already called a person because of this end. */
  readonly counted: boolean;
  /** When it is started again, once that is decided. */
  readonly restartAt: Instant | undefined;
  /** 0 to 1, drawn at random. */
  readonly chance: number;
}

export type ExitStep =
  | { readonly kind: 'wait'; readonly why: string }
  /** It is started again at this time, not before. */
  | { readonly kind: 'delay'; readonly until: Instant; readonly why: string }
  /** `cause`: why another start would not help; undefined when it ended too often. */
  | { readonly kind: 'fail'; readonly cause: 'fatal' | 'missing_program' | undefined; readonly why: string }
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
  const resumeFailed = view.resumeFailed || view.output === 'resume_refused';
  const waitsForReview = worker.status === 'needs_review';
  if (view.counted && waitsForReview) return { kind: 'rest', called: true, why: 'its finished work waits for review' };
  if (view.counted) {
    return {
      kind: 'relaunch',
      conversation: resumeFailed ? 'fresh' : conversation,
      goOn: true,
      countsAsCrash: false,
      why: 'a person continued the worker; starting its agent again',
    };
  }
  // llmc would restart a program that always ends at once, even with status 0, forever.
  const hasFinished = view.tookPrompt === true && activity.status === 0;
  if (activity.how === 'user' && (!stillborn || hasFinished)) {
    const why = hasFinished
      ? 'the agent ended after its turn; starting it again'
      : 'a person closed the agent; starting it again without a prompt';
    return { kind: 'relaunch', conversation, goOn: false, countsAsCrash: false, why };
  }
  const hopeless = hopelessEnd(view, policy, now);
  if (hopeless !== undefined) return waitsForReview ? { kind: 'rest', called: false, why: hopeless.why } : hopeless;
  const delay = delayOf(view, policy, now);
  if (delay !== undefined) return delay;
  if (resumeFailed) {
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

type Failed = Extract<ExitStep, { kind: 'fail' }>;

/** Another start would end the same way, or it was tried often enough. */
function hopelessEnd({ worker, output }: ExitView, policy: ExitPolicy, now: Instant): Failed | undefined {
  if (output === 'missing_program') return { kind: 'fail', cause: output, why: 'its program cannot be found or run' };
  if (output === 'fatal') return { kind: 'fail', cause: output, why: 'the agent refuses to start' };
  if (crashesInARow(worker, now) + 1 < policy.maxCrashes) return undefined;
  return { kind: 'fail', cause: undefined, why: `the agent ended ${policy.maxCrashes} times in a row` };
}

/** A session that is gone without a trace is opened again at once: nothing of it can still be ending. */
function delayOf(view: ExitView, policy: ExitPolicy, now: Instant): ExitStep | undefined {
  if (view.restartAt !== undefined) return now < view.restartAt ? { kind: 'wait', why: 'its restart is not due' } : undefined;
  const limited = view.output === 'rate_limit';
  if (view.activity.how === 'not_found' && !limited) return undefined;
  const planned = policy.backoffMs[crashesInARow(view.worker, now)] ?? policy.backoffMs.at(-1) ?? 0;
  const waitedMs = waitMs(limited ? Math.max(planned, policy.rateLimitMs) : planned, policy.jitter, view.chance);
  if (waitedMs <= 0) return undefined;
  return { kind: 'delay', until: now + waitedMs, why: limited ? 'its last words are about a rate limit' : 'it crashed before' };
}
