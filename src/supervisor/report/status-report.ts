import type { Activity, Assessment } from '../../agents/activity.ts';
import { findDetail } from '../../agents/activity-detail.ts';
import type { Instant } from '../../base/ports.ts';
import { crashesInARow } from '../../recovery/crashes.ts';
import { STALL_HINT, stallText } from '../../recovery/decide-stall.ts';
import { isHolding, isLimit, type UsageLimit } from '../../recovery/usage-limit.ts';
import { readSandboxKind, type SandboxKind } from '../../sandbox/lives-in-sandbox.ts';
import type { Attention, Trouble } from '../../store/attention.ts';
import type { State, Worker } from '../../store/state.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import type { DeliverySummary } from '../../store/tables/delivery-summary.ts';
import type { DraftCount } from '../../store/tables/draft-counts.ts';
import type { FailingService } from '../../store/tables/failing-services.ts';
import type { TamperingSummary } from '../../store/tables/history.ts';
import type { Spent } from '../../store/tables/spending.ts';
import { COMING_UP_MS } from '../../workers/pool/coming-up.ts';
import { isLimitReason, reasonText, untilReset } from '../../workers/prompt/delivery-reason-text.ts';
import { type AttentionReport, attentionReport } from '../../workers/status/attention-text.ts';
import { standing } from '../../workers/status/transitions.ts';
import { type Waiting, waitingText } from '../../workers/status/waiting-text.ts';
import { nameWork } from '../../workers/tasks/work-id.ts';
import { isCheckWorker } from '../../workflow/model/run-names.ts';
import type { RunLine } from '../../workflow/view/run-view.ts';
import type { WorkerUsage } from '../metering/worker-usage.ts';
import type { NamedDialog } from '../observe/watch.ts';
import { type AsksReport, toAsksReport } from './asks-report.ts';
import { chooseAttention } from './attention.ts';

export interface SupervisorFacts {
  readonly running: boolean;
  readonly pid: number | null;
  readonly since_unix: number | null;
  /** Since when it has done nothing although it runs; null while it works. */
  readonly stalled_since_unix: number | null;
}

export interface DeliveryReport extends Omit<DeliverySummary, 'reason'> {
  readonly reason: string | null;
  readonly reason_kind: DeliveryReason['kind'] | null;
}

/** One worker in `status --json`. Scripts rely on the names. */
export interface WorkerReport extends AttentionReport {
  readonly name: string;
  readonly agent: string;
  readonly model: string;
  /** The run that made it for itself; null for a worker of config.toml. */
  readonly run: { readonly id: string; readonly role: string; readonly resting: boolean } | null;
  readonly status: Worker['status'];
  readonly status_before_offline: Worker['status_before_offline'];
  readonly activity: {
    readonly kind: string;
    readonly detail: string | null;
    readonly since_unix: number;
    readonly source: string;
  };
  readonly current_prompt: string | null;
  /** The last message that its agent ended a turn with, cut; null if it reported none. */
  readonly last_message: string | null;
  /** What confines its agent. */
  readonly sandbox: SandboxKind;
  readonly branch: string;
  readonly worktree_path: string;
  readonly session_id: string;
  readonly commit_sha: string | null;
  /** How much the commit that waits for review changes, by lines and files; null without one, and until it is measured. */
  readonly work: WorkReport | null;
  readonly created_at_unix: number;
  readonly last_activity_unix: number;
  /** The branch that its last accepted work is on, if that is not main. */
  readonly landed_on: string | null;
  readonly crash_count: number;
  readonly delivery: DeliveryReport | null;
  /** Why the worker waits without needing a person. */
  readonly waiting: string | null;
  readonly waiting_kind: Waiting['kind'] | null;
  /** The open question or permission as a whole; `attention` has it in one line. */
  readonly asks: AsksReport | null;
  /** Names its task: what is said about one work is not about the next one. Null without a task. */
  readonly work_id: string | null;
  /** Whether a person was shown the work that it has now. */
  readonly reviewed: boolean;
  /** The comments on its work that a person has written and not sent. */
  readonly draft_comments: number;
  /** The commit message that a person has written for its work, in place of that of the agent. */
  readonly draft_message: string | null;
  /** Null without a supervisor. */
  readonly usage: WorkerUsage | null;
}

export interface WorkReport {
  readonly insertions: number;
  readonly deletions: number;
  /** Binary files have no lines, and count here. */
  readonly files: number;
}

/** A usage limit that is in force. */
export interface LimitReport {
  readonly account: string;
  readonly until_unix: number;
  readonly since_unix: number;
  /** The message of the agent that reached the limit. */
  readonly why: string;
  readonly worker: string;
  /** Whether that agent continues without a prompt. */
  readonly continues_by_itself: boolean;
}

/** A service whose circuit breaker is open. */
export interface FailingServiceReport {
  readonly account: string;
  readonly failures: number;
  /** When one more try is made. */
  readonly until_unix: number;
}

export interface TamperingReport {
  readonly times: number;
  readonly last_unix: number;
  /** Null if llmc cannot tell which worker it was. */
  readonly worker: string | null;
  readonly last: string;
}

export interface StatusReport {
  readonly root: string;
  readonly source: string;
  readonly branch: string;
  /** The problems of the root's files, one sentence each. */
  readonly problems: readonly string[];
  /** What agents changed in the root's `.git` within a day, and llmc put back; null without any. */
  readonly tampering: TamperingReport | null;
  readonly supervisor: SupervisorFacts;
  readonly limits: readonly LimitReport[];
  /** Services that fail for all runs. */
  readonly services: readonly FailingServiceReport[];
  /** Why no new task may begin today; null without a supervisor. */
  readonly budget: string | null;
  /** The tasks that wait for a worker. */
  readonly queue: { readonly waiting: number };
  /** What all agents have used since midnight. */
  readonly today: { readonly tokens: number; readonly cost_usd: number };
  /** The runs that have not ended, as `runs --json` lists them. */
  readonly runs: readonly RunLine[];
  readonly workers: readonly WorkerReport[];
}

/** What a supervisor observed of a worker. */
export interface Watched {
  readonly assessment: Assessment;
  readonly dialog?: NamedDialog | undefined;
  /** The last lines that its terminal showed. */
  readonly screen?: readonly string[] | undefined;
}

export interface ReportInput {
  readonly root: string;
  readonly source: string;
  readonly branch: string;
  readonly problems?: readonly (string | undefined)[];
  readonly supervisor: SupervisorFacts;
  readonly state: State;
  readonly tamperingSince?: (since: Instant) => TamperingSummary | undefined;
  readonly deliveryOf: (worker: string) => DeliverySummary | null;
  readonly modelOf: (worker: string, agent: string) => string;
  readonly accountOf: (agent: string) => string;
  readonly now: Instant;
  readonly budget?: string | undefined;
  readonly services?: readonly FailingService[] | undefined;
  /** How many tasks wait for a worker. */
  readonly queued?: number | undefined;
  readonly drafts?: ReadonlyMap<string, DraftCount> | undefined;
  readonly spentToday?: Spent | undefined;
  readonly runs?: readonly RunLine[] | undefined;
  /** Undefined without a supervisor. */
  readonly watchedOf: (worker: string) => Watched | undefined;
  /** The number of the task that a person gave it. */
  readonly taskOf?: (worker: string) => number | null;
  /** The failure of the worker in the last pass. */
  readonly troubleOf?: (worker: string) => Trouble | undefined;
  /** The validation command that an accept of the worker runs. */
  readonly validationOf?: (worker: string) => { readonly line: string; readonly since: Instant } | undefined;
  readonly workerUsageOf?: (worker: string) => WorkerUsage | undefined;
  /** The last message of the agent as this process heard it. */
  readonly messageOf?: (worker: string) => string | undefined;
}

export function statusReport(input: ReportInput): StatusReport {
  return { ...reportHead(input), workers: reportedWorkers(input.state).map((worker) => workerReport(worker, input)) };
}

/** The workers of a report, in its order. */
export function reportedWorkers(state: State): readonly Worker[] {
  return Object.values(state.workers)
    .filter((worker) => !isCheckWorker(worker))
    .sort((a, b) => a.created_at_unix - b.created_at_unix || a.name.localeCompare(b.name));
}

/** A report without its workers. */
export function reportHead(input: ReportInput): Omit<StatusReport, 'workers'> {
  const { root, source, branch, supervisor, problems = [], spentToday } = input;
  const limits = Object.values(input.state.limits).filter((limit) => isHolding(limit, input.now));
  return {
    root,
    source,
    branch,
    problems: [describeStall(supervisor, input.now), ...problems].filter((problem) => problem !== undefined),
    tampering: tamperingReport(input.tamperingSince?.(input.now - DAY_MS)),
    supervisor,
    limits: limits.map(limitReport),
    services: (input.services ?? []).map(serviceReport),
    budget: input.budget ?? null,
    queue: { waiting: input.queued ?? 0 },
    today: { tokens: spentToday?.tokens ?? 0, cost_usd: spentToday?.costUsd ?? 0 },
    runs: input.runs ?? [],
  };
}

function describeStall({ stalled_since_unix }: SupervisorFacts, now: Instant): string | undefined {
  return stalled_since_unix === null ? undefined : `${stallText(stalled_since_unix * 1_000, now)} – ${STALL_HINT}`;
}

export function inSeconds(at: Instant | undefined): number | null {
  return at === undefined ? null : Math.floor(at / 1_000);
}

/** Enough for a few lines of a view; `llmc review` and `llmc logs` show more. */
const LONGEST_MESSAGE = 1_000;

const DAY_MS = 24 * 60 * 60_000;

function tamperingReport(found: TamperingSummary | undefined): TamperingReport | null {
  if (found === undefined) return null;
  return { times: found.times, last_unix: Math.floor(found.lastAt / 1_000), worker: found.worker, last: found.summary };
}

function serviceReport({ account, failures, until_ms }: FailingService): FailingServiceReport {
  return { account, failures, until_unix: Math.floor(until_ms / 1_000) };
}

export function limitReport({ account, until_ms, since_ms, why, worker, continues_by_itself }: UsageLimit): LimitReport {
  return {
    account,
    until_unix: Math.ceil(until_ms / 1_000),
    since_unix: Math.floor(since_ms / 1_000),
    why,
    worker,
    continues_by_itself,
  };
}

/** The usage limit that the agent has reached or that holds its next prompt, or a failed turn. */
function findWaiting(
  { agent, failed_turn: failed }: Worker,
  activity: Activity | undefined,
  delivery: DeliverySummary | null,
  input: ReportInput,
): Waiting | null {
  if (delivery?.state === 'held' && isLimitReason(delivery.reason)) return delivery.reason;
  const limit = holdingOn(input.state, input.accountOf(agent), input.now);
  if (isLimit(activity) && limit !== undefined) return untilReset(limit.account, limit.until_ms);
  return failed === null || failed.until_ms === null ? null : { kind: 'failed_turn', failed };
}

export function holdingOn({ limits }: State, account: string, now: Instant): UsageLimit | undefined {
  const limit = Object.hasOwn(limits, account) ? limits[account] : undefined;
  return isHolding(limit, now) ? limit : undefined;
}

export function workerReport(worker: Worker, input: ReportInput): WorkerReport {
  const { name, agent, status, status_before_offline, current_prompt, branch, worktree_path, session_id } = worker;
  const { commit_sha, created_at_unix, last_activity_unix } = worker;
  const crash_count = crashesInARow(worker, input.now);
  const watched = input.watchedOf(name);
  const assessment = watched?.assessment;
  const delivery = input.deliveryOf(name);
  const waiting = findWaiting(worker, assessment?.activity, delivery, input);
  const attention = toLandingAttention(name, input) ?? chooseAttention(worker, assessment, input.troubleOf?.(name));
  return {
    name,
    agent,
    model: (worker.run ?? worker.pool)?.model ?? input.modelOf(name, agent),
    run: toRun(worker),
    status,
    status_before_offline,
    activity: toActivityReport(worker, assessment),
    sandbox: readSandboxKind(worker),
    last_message: (input.messageOf?.(name) || worker.summary)?.trim().slice(0, LONGEST_MESSAGE) || null,
    current_prompt,
    branch,
    worktree_path,
    session_id,
    commit_sha,
    created_at_unix,
    last_activity_unix,
    crash_count,
    delivery: delivery && { ...delivery, ...reasonFields(delivery.reason, input.now) },
    waiting: waiting && waitingText(waiting, input.now),
    waiting_kind: waiting?.kind ?? null,
    ...attentionReport(name, attention ?? (status === 'offline' && worker.run?.resting !== true ? whyOffline(worker, input) : null)),
    asks: toAsksReport(attention, watched?.dialog, watched?.screen),
    work_id: nameWork(worker, input.taskOf?.(name) ?? null),
    reviewed: worker.reviewed_patch_id !== null && standing(worker) !== 'rejected',
    draft_comments: input.drafts?.get(name)?.comments ?? 0,
    draft_message: input.drafts?.get(name)?.message ?? null,
    work: findWork(worker),
    landed_on: worker.landed_on,
    usage: input.workerUsageOf?.(name) ?? null,
  };
}

function findWork(worker: Worker): WorkReport | null {
  const { work_size: size, commit_sha: commit } = worker;
  if (size === null || size.commit !== commit || standing(worker) !== 'needs_review') return null;
  const { insertions, deletions, files } = size;
  return { insertions, deletions, files };
}

function toRun({ run }: Worker): WorkerReport['run'] {
  return run && { id: run.id, role: run.role, resting: run.resting };
}

function toLandingAttention(name: string, { validationOf, now }: ReportInput): Attention | undefined {
  const running = validationOf?.(name);
  return running && { kind: 'landing', line: running.line, seconds: Math.max(0, Math.floor((now - running.since) / 1_000)) };
}

/** A reason for JSON: the sentence, and its kind beside it. */
export function reasonFields(reason: DeliveryReason | null, now: Instant): Pick<DeliveryReport, 'reason' | 'reason_kind'> {
  return { reason: reason && reasonText(reason, now), reason_kind: reason?.kind ?? null };
}

function whyOffline({ created_at_unix }: Worker, { supervisor, now }: ReportInput): Attention {
  if (!supervisor.running) return { kind: 'not_started' };
  const expectedSince = Math.max(created_at_unix, supervisor.since_unix ?? 0) * 1_000;
  return { kind: now - expectedSince < COMING_UP_MS ? 'being_started' : 'no_session' };
}

function toActivityReport(worker: Worker, assessment: Assessment | undefined): WorkerReport['activity'] {
  if (worker.status === 'offline') return { kind: 'exited', detail: null, since_unix: worker.last_activity_unix, source: 'none' };
  if (assessment === undefined) return { kind: 'unknown', detail: null, since_unix: worker.last_activity_unix, source: 'none' };
  const { activity, since, source } = assessment;
  return { kind: activity.kind, detail: findDetail(activity), since_unix: Math.floor(since / 1_000), source };
}
