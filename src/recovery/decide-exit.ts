import type { Activity } from '../agents/activity.ts';
import { endedByItself } from '../agents/classify-exit.ts';
import type { ExitOutput } from '../agents/exit-output.ts';
import type { Instant } from '../base/ports.ts';
import { waitMs } from './backoff.ts';
import { type Crashes, crashesInARow } from './crashes.ts';
import type { ExitPolicy } from './policies/exit-policy.ts';

/** How an agent ended by itself. */
export type OwnExit = Pick<Exited, 'status' | 'signal'>;

type Exited = Extract<Activity, { kind: 'exited' }>;

export interface ExitView {
  readonly worker: Crashes & { readonly status: string };
  /** The agent can resume its conversation. */
  readonly resumable: boolean;
  readonly activity: Exited;
  /** What its last lines say. */
  readonly output: ExitOutput | undefined;
  readonly livedMs: number;
  /** It is a program without patterns, and it had taken a prompt: with status 0 it has done it. */
  readonly tookPrompt?: boolean;
  /** It was started to resume its conversation and ended before it was ready. A crash after that is a crash like any other. */
  readonly resuming: boolean;
  /** How the starts before this one ended by themselves, in a row, before they had resumed the conversation. */
  readonly resumeExits: readonly OwnExit[];
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
      /** One more start that ended by itself before it had resumed the conversation. */
      readonly resumeExit?: OwnExit | undefined;
      readonly why: string;
    };

/** Decides what to do about an agent whose process ended without an order of llmc. */
export function decideExit(view: ExitView, policy: ExitPolicy, now: Instant): ExitStep {
  const { worker, activity } = view;
  if (!view.confirmed) return { kind: 'wait', why: 'the end was observed once; observing again before acting' };
  const resume = decideLostResume(view, policy);
  const conversation = view.resumable && resume.kind !== 'lost' ? 'resume' : 'fresh';
  const stillborn = view.livedMs < policy.stillbornMs;
  const waitsForReview = worker.status === 'needs_review';
  if (view.counted && waitsForReview) return { kind: 'rest', called: true, why: 'its finished work waits for review' };
  if (view.counted) {
    return {
      kind: 'relaunch',
      conversation,
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
  const hopeless = hopelessEnd(view, resume, policy, now);
  if (hopeless !== undefined) return waitsForReview ? { kind: 'rest', called: false, why: hopeless.why } : hopeless;
  const delay = planDelay(view, policy, now);
  if (delay !== undefined) return delay;
  if (resume.kind !== 'open') {
    return { kind: 'relaunch', conversation, goOn: true, countsAsCrash: true, resumeExit: resume.exit, why: resume.why };
  }
  const how = stillborn ? 'ended right after its start' : 'crashed';
  const why = conversation === 'resume' ? `the agent ${how}; resuming its conversation` : `the agent ${how}; starting a new conversation`;
  return { kind: 'relaunch', conversation, goOn: true, countsAsCrash: true, why };
}

/** What the end of an agent says about the conversation that it was to resume. `open`: nothing. */
export type LostResume =
  | { readonly kind: 'open' }
  /** It is resumed again: the next start may succeed. */
  | { readonly kind: 'again'; readonly exit: OwnExit; readonly why: string }
  | { readonly kind: 'lost'; readonly exit?: undefined; readonly why: string };

/**
 * A conversation is given up only if the agent itself says that it does not have it, or if several starts to resume it ended by
 * themselves. An agent that was killed, or whose session is gone, has refused nothing.
 */
export function decideLostResume(
  { activity, output, resuming, resumeExits }: Pick<ExitView, 'activity' | 'output' | 'resuming' | 'resumeExits'>,
  { resumeAttempts }: Pick<ExitPolicy, 'resumeAttempts'>,
): LostResume {
  const itself = endedByItself(activity);
  if (itself && output === 'resume_refused') return { kind: 'lost', why: 'the agent does not have its conversation; starting a new one' };
  const { status, signal } = activity;
  const exits = resuming && itself ? [...resumeExits, { status, signal }] : resumeExits;
  const ended = `before it had resumed its conversation, ${exits.length === 1 ? 'once' : `${exits.length} times in a row`} (${exits.map(exitText).join(', ')})`;
  if (exits.length >= resumeAttempts) return { kind: 'lost', why: `the agent ended by itself ${ended}; starting a new one` };
  if (!resuming || !itself) return { kind: 'open' };
  return { kind: 'again', exit: { status, signal }, why: `the agent ended by itself ${ended}; resuming it again` };
}

const exitText = ({ status, signal }: OwnExit): string => (signal === null ? `status ${status}` : `signal ${signal}`);

type Failed = Extract<ExitStep, { kind: 'fail' }>;

/** Another start would end the same way, or it was tried often enough. Starts that could not resume the conversation have their own limit. */
function hopelessEnd({ worker, output, resumeExits }: ExitView, resume: LostResume, policy: ExitPolicy, now: Instant): Failed | undefined {
  if (output === 'missing_program') return { kind: 'fail', cause: output, why: 'its program cannot be found or run' };
  if (output === 'fatal') return { kind: 'fail', cause: output, why: 'the agent refuses to start' };
  const endings = crashesInARow(worker, now) + 1;
  if (resume.kind !== 'open' || endings - resumeExits.length < policy.maxCrashes) return undefined;
  return { kind: 'fail', cause: undefined, why: `the agent ended ${endings} times in a row` };
}

/** What another start at once would meet again. */
const LAST_WORDS: Readonly<
  Partial<Record<ExitOutput | 'nothing', { readonly wait: (policy: ExitPolicy) => number; readonly why: string }>>
> = {
  rate_limit: { wait: ({ rateLimitMs }) => rateLimitMs, why: 'its last words are about a rate limit' },
  timeout: { wait: ({ timeoutMs }) => timeoutMs, why: 'its last words are about a timeout or a lost connection' },
};

/** A session that is gone without a trace is opened again at once: nothing of it can still be ending. */
function planDelay(view: ExitView, policy: ExitPolicy, now: Instant): ExitStep | undefined {
  if (view.restartAt !== undefined) return now < view.restartAt ? { kind: 'wait', why: 'its restart is not due' } : undefined;
  const said = LAST_WORDS[view.output ?? 'nothing'];
  if (view.activity.how === 'not_found' && said === undefined) return undefined;
  const planned = policy.backoffMs[crashesInARow(view.worker, now)] ?? policy.backoffMs.at(-1) ?? 0;
  const waitedMs = waitMs(Math.max(planned, said?.wait(policy) ?? 0), policy.jitter, view.chance);
  if (waitedMs <= 0) return undefined;
  return { kind: 'delay', until: now + waitedMs, why: said?.why ?? 'it crashed before' };
}
