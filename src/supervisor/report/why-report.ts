import type { Assessment } from '../../agents/activity.ts';
import type { Usage } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import { dueMs } from '../../recovery/decide-stuck.ts';
import type { StuckPolicy } from '../../recovery/policies/stuck-policy.ts';
import type { UsageLimit } from '../../recovery/usage-limit.ts';
import { readSandboxKind, type SandboxKind } from '../../sandbox/lives-in-sandbox.ts';
import type { Trouble } from '../../store/attention.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { type Delivery, recentDeliveries } from '../../store/tables/deliveries.ts';
import { type RecordedEvent, recentEvents } from '../../store/tables/events.ts';
import { CONVERSATION_DROPPED, type HistoryEntry, recentHistory } from '../../store/tables/history.ts';
import { lastResolution, type Resolution } from '../../store/tables/resolutions.ts';
import { type AttentionReport, attentionReport } from '../../workers/status/attention-text.ts';
import { waitingText } from '../../workers/status/waiting-text.ts';
import { lastProgressAt, type Watch } from '../observe/watch.ts';
import { chooseAttention } from './attention.ts';
import { type PatrolReport, patrolReport } from './patrol-report.ts';
import { type DeliveryReport, type LimitReport, limitReport, reasonFields } from './status-report.ts';

export interface WhyReport {
  readonly worker: Omit<Worker, 'attention'> & AttentionReport;
  /** Whether a supervisor answered. Without one the agent is not observed. */
  readonly supervised: boolean;
  /** Whether one runs and does not answer, because it is stopped or of another version. */
  readonly silent: boolean;
  /** Since when the supervisor has done nothing although it runs. */
  readonly stalled_since: number | null;
  /** What keeps llmc from deciding anything about any worker. */
  readonly problem: string | null;
  readonly sandbox: SandboxKind;
  readonly assessment: Assessment | null;
  readonly evidence: readonly { readonly source: string; readonly says: string; readonly at: number }[];
  /** Tokens of the conversation, if the agent counts them. */
  readonly usage: Usage | null;
  /** The usage limit of its account. */
  readonly limit: LimitReport | null;
  /** Turns that failed in a row, in words. */
  readonly failed_turn: string | null;
  /** When and why a conversation was last given up, if that was lately. */
  readonly conversation_dropped: { readonly at: number; readonly why: string } | null;
  /** The silence of an agent in a turn, and what follows when. */
  readonly silence: ReportedSilence | null;
  /** The conflict that its agent resolves or resolved last. */
  readonly resolution: ResolutionReport | null;
  /** Why no new task may begin today. */
  readonly budget: string | null;
  /** The last round of the patrol over all workers. */
  readonly patrol: PatrolReport | null;
  readonly screen: readonly string[];
  /** The last screen of the agent when it last ended. */
  readonly last_words: { readonly at: number; readonly lines: readonly string[] } | null;
  readonly deliveries: readonly (Omit<Delivery, 'reason'> & Pick<DeliveryReport, 'reason' | 'reason_kind'>)[];
  /** The last decision on the prompt that is next for the agent, and the rule that made it. */
  readonly delivering: Watch['decided'] | null;
  readonly events: readonly RecordedEvent[];
  readonly history: readonly HistoryEntry[];
}

export interface ResolutionReport
  extends Pick<Resolution, 'cause' | 'phase' | 'branch' | 'onto' | 'files' | 'attempts' | 'called' | 'asked_ms' | 'outcome'> {
  /** What the proof found; null until there is one. */
  readonly proof: unknown;
}

/** Times in milliseconds. */
export interface ReportedSilence {
  readonly since_ms: number;
  /** The rungs of the ladder that are done: a first status check, a check for an answer, a second status check. */
  readonly rungs: 0 | 1 | 2 | 3;
  readonly next_ms: number;
}

const HISTORY = 20;
const DELIVERIES = 5;
const EVENTS = 10;

interface WhyFacts {
  /** The failure of the worker in the last pass. */
  readonly trouble?: Trouble | undefined;
  readonly supervised?: boolean;
  readonly silent?: boolean;
  readonly usage?: Usage | undefined;
  readonly limit?: UsageLimit | undefined;
  readonly budget?: string | undefined;
  readonly stuck?: StuckPolicy | undefined;
  readonly stalledSince?: Instant | undefined;
  readonly problem?: string | undefined;
}

/** Explains a worker's status: evidence with sources and times, the rule that decided, deliveries and decisions. */
export function whyReport(worker: Worker, database: Database, watch: Watch | undefined, now: Instant, besides: WhyFacts = {}): WhyReport {
  const { trouble, supervised = false, usage, limit, budget, stuck } = besides;
  const history = recentHistory(database, worker.name, HISTORY);
  const dropped = history.find(({ kind }) => kind === CONVERSATION_DROPPED);
  const ended = history.find(({ details = '' }) => details !== '');
  return {
    worker: { ...worker, ...attentionReport(worker.name, chooseAttention(worker, watch?.assessment, trouble)) },
    supervised,
    silent: besides.silent ?? false,
    stalled_since: besides.stalledSince ?? null,
    problem: besides.problem ?? null,
    sandbox: readSandboxKind(worker),
    assessment: watch?.assessment ?? null,
    evidence: watch === undefined ? [] : listEvidence(watch),
    usage: usage ?? null,
    limit: limit === undefined ? null : limitReport(limit),
    failed_turn:
      worker.failed_turn && `${waitingText({ kind: 'failed_turn', failed: worker.failed_turn }, now)}: ${worker.failed_turn.message}`,
    conversation_dropped: dropped === undefined ? null : { at: dropped.at, why: dropped.summary },
    silence: watch === undefined || stuck === undefined ? null : findSilence(watch, stuck, now),
    resolution: resolutionReport(database, worker.name),
    budget: budget ?? null,
    patrol: patrolReport(database),
    screen: watch?.screen.capture?.screen.lines.filter((line) => line !== '').slice(-12) ?? [],
    last_words: ended === undefined ? null : { at: ended.at, lines: (ended.details ?? '').split('\n') },
    deliveries: recentDeliveries(database, worker.name, DELIVERIES).map((row) => ({ ...row, ...reasonFields(row.reason, now) })),
    delivering: watch?.decided ?? null,
    events: recentEvents(database, worker.name, EVENTS),
    history,
  };
}

/** Shorter silences are ordinary work. */
const SILENT_AFTER_MS = 5 * 60_000;

function findSilence(watch: Watch, policy: StuckPolicy, now: Instant): ReportedSilence | null {
  const since = watch.stuck?.since ?? lastProgressAt(watch);
  const worthTelling = now - since >= Math.min(SILENT_AFTER_MS, policy.nudgeMs);
  if (watch.stuck === undefined && (watch.assessment.activity.kind !== 'processing' || !worthTelling)) return null;
  return { since_ms: since, rungs: watch.stuck?.rungs ?? 0, next_ms: since + dueMs(watch.stuck, policy) };
}

function resolutionReport(database: Database, worker: string): ResolutionReport | null {
  const row = lastResolution(database, worker);
  if (row === undefined) return null;
  const { cause, phase, branch, onto, files, attempts, called, asked_ms, outcome, proof } = row;
  return { cause, phase, branch, onto, files, attempts, called, asked_ms, outcome, proof: proof === null ? null : JSON.parse(proof) };
}

function listEvidence(watch: Watch): WhyReport['evidence'] {
  const { tmux, reported, screen, status, protocol } = watch;
  const { pane } = tmux;
  const { latest } = reported;
  const { capture } = screen;
  const process =
    typeof pane === 'string'
      ? pane
      : pane.dead
        ? `ended (status ${pane.deadStatus ?? '?'}, signal ${pane.deadSignal ?? 'none'})`
        : `alive, pid ${pane.pid} (${pane.command})`;
  return [
    { source: 'process', says: `incarnation ${watch.life.incarnation}: ${process}`, at: tmux.at },
    ...(latest === null
      ? []
      : [
          {
            source: protocol === undefined ? 'hook' : 'protocol',
            says: `"${latest.event}" → ${latest.activity.kind}`,
            at: latest.at,
          },
        ]),
    ...(status.live === undefined
      ? []
      : [{ source: protocol === undefined ? 'status file' : 'agent', says: status.live.activity.kind, at: status.live.since }]),
    ...(capture === undefined
      ? []
      : [
          {
            source: 'screen',
            says: `${capture.reading.activity.kind} (${capture.reading.rule}), box ${capture.reading.box.kind}`,
            at: capture.since,
          },
        ]),
  ];
}
