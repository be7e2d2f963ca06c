import type { Activity, Assessment, Dialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Ladder } from '../../recovery/decide-stuck.ts';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import type { Pane } from '../../terminal/panes.ts';
import type { StatusFileReading } from '../agent-files/status-file.ts';
import type { Capture } from './capture.ts';
import type { ProtocolSession } from './protocol-session.ts';
import { NOTHING_REPORTED, type Reported } from './reported.ts';

/**
 * The supervisor's knowledge about one worker. All of it can be lost: llmc rebuilds it from the database and by observing.
 * Each record is written by one module, the one its comment names; `test/repo/watch-records.test.ts` checks that.
 */
export interface Watch {
  readonly name: string;
  /** beginLife, below */
  life: Life;
  /** observe/tmux-watch */
  tmux: TmuxWatch;
  /** observe/pulse-watch */
  pulse: Pulse;
  /** observe/screen-watch */
  screen: ScreenWatch;
  /** observe/ingest */
  reported: Reported;
  /** observe/ingest: event files that were removed unread since too many were waiting; 0 when they no longer are. */
  discarded: number;
  /** observe/own-status */
  status: OwnStatus;
  /** assess/assess-worker */
  assessment: Assessment;
  /** observe/open-dialog: the dialog that is open, and the one that was answered last. */
  dialog: DialogWatch;
  /** loop: when the worker is observed again, unless something happens before. */
  pollAt: Instant;
  /** progress/apply-progress */
  progress: { readonly handledTurn: number };
  /** progress/finish-by-commit: the commit of an agent that never stops writing, since when nothing changed, and when git was asked. */
  commit: { readonly head: string | undefined; readonly since: Instant; readonly at: Instant } | undefined;
  /** metering/meter: when its tools last used the processor, or its transcript last grew. */
  work: { readonly at: Instant | undefined };
  /** loop: when the loop went on after a gap, as of a suspended laptop. The time before it proves no silence of the agent. */
  wokeAt: Instant | undefined;
  /** failures/handle-stuck: how far it has climbed without a sign of progress. */
  stuck: Ladder | undefined;
  /** progress/watch-resolution: what was last known about the rebase that its agent resolves; undefined without one. */
  resolution: ResolutionWatch | undefined;
  /** deliver/typing-state */
  typing: TypingState;
  /** deliver/delivery-record: the last decision on the oldest undelivered prompt, for `llmc why`. */
  decided: { readonly delivery: string; readonly step: string; readonly rule: string; readonly why: string } | undefined;
  /** deliver/waiting-watch: how long the oldest undelivered prompt has waited, for which reasons. */
  waiting: WaitingTime | undefined;
  /** limits/parking: since when the agent is observed at a usage limit, whatever else its screen shows. */
  limit: { readonly since: Instant | undefined };
  /** dialogs/startup-dialog: the dialog that was reported to a person, so that it is reported once. */
  startupDialog: { readonly reported: string | undefined };
  /** launch/restore-size: the pane size that llmc has tried to change. */
  size: { readonly tried: string | undefined };
  /** launch/handle-exit: the agent's end was one crash too many, and llmc called a person; or when it is started again. */
  exit: { readonly counted: boolean; readonly restartAt: Instant | undefined };
  /** loop: it ended together with most of the fleet. */
  diedWithOthers: boolean;
  /** launch/wake-suspended: when a suspended agent was last continued, and how often without effect. */
  woken: { readonly at: Instant | undefined; readonly times: number };
  /** observe/observe: the connection to an agent on the protocol channel; undefined on the keyboard channel. */
  protocol: ProtocolSession | undefined;
}

/** One incarnation of the agent process. */
export interface Life {
  readonly incarnation: number;
  readonly launchedAt: Instant;
  readonly resumed: boolean;
  /** A pass has observed it ready, or already at work. */
  readonly ready?: boolean;
}

export interface TmuxWatch {
  /** `gone`: tmux answered without the session; `unknown`: tmux did not answer, or the process of a missing session still lives. */
  readonly pane: Pane | 'gone' | 'unknown';
  /** When tmux was last asked about the pane. */
  readonly at: Instant;
  /** The process last observed in the pane: additional evidence when tmux no longer shows the session. */
  readonly pid: number | undefined;
  /** Since when, and in how many passes, the agent has been dead or gone. */
  readonly ended: { readonly since: Instant; readonly passes: number } | undefined;
  readonly personTypedAt: Instant | undefined;
  /** When the agent last rang the bell; undefined if it has not since llmc observes it. */
  readonly bellAt: Instant | undefined;
}

/** What the process table says about the agent's process. */
export interface Pulse {
  /** The process that a signal stopped, such as Ctrl-Z or SIGSTOP, and since when. */
  readonly stopped: { readonly pid: number; readonly since: Instant } | undefined;
  /** When the agent was last observed unable to run, or not observed at all: its silence until then proves nothing. */
  readonly pausedAt: Instant | undefined;
  /** The processor time of the agent with all its descendants, and when it last grew. */
  readonly cpuMs: number | undefined;
  readonly activeAt: Instant | undefined;
  /** When the table was last read. */
  readonly at: Instant | undefined;
}

/** A capture with its history. */
export interface TimedCapture extends Capture {
  /** Since when the screen has been classified the same. */
  readonly since: Instant;
  readonly at: Instant;
  /** Since when the text of the screen is the same, letter by letter. */
  readonly stillSince: Instant;
  /** The text without spinners and timers: a change of it is progress. */
  readonly essence: string;
}

export interface ScreenWatch {
  readonly capture: TimedCapture | undefined;
  /** The pane as it was when its screen was last captured, when tmux was asked, and which adapter classified it. */
  readonly taken: { readonly at: Instant; readonly pane: Pane; readonly by: Agent } | undefined;
  /** When the screen last showed the agent at work. */
  readonly busyAt: Instant | undefined;
  /** When the text of the screen last changed. */
  readonly changedAt: Instant;
  /** The hash of what the last supervisor saw before it ended: the first capture is progress only if it shows something else. */
  readonly recalled?: string | undefined;
}

/** The dialog that an agent has open. */
export interface NamedDialog {
  /** An answer names the dialog that it is for: another dialog may have taken its place, and the same number would approve it unread. */
  readonly id: string;
  readonly dialog: Dialog;
  /** The number of the agent's report that announced it; undefined if only the screen shows it. */
  readonly report: number | undefined;
}

export interface DialogWatch {
  readonly open: NamedDialog | undefined;
  /** The dialog that llmc answered last. */
  readonly answered: NamedDialog | undefined;
  /** How many dialogs had an id so far: a dialog that only the screen shows gets another id when it opens again. */
  readonly count: number;
}

/** The CLI's own state, from its status file or over its protocol. */
export interface OwnStatus {
  readonly file: StatusFileReading | undefined;
  readonly live: { readonly activity: Activity; readonly since: Instant } | undefined;
}

export interface ResolutionWatch {
  /** The stamps of git's files in the worktree's git folder. */
  readonly stamp: string;
  /** When they last changed. */
  readonly progressAt: Instant;
  /** The facts that were decided on last: the same facts need no second decision. */
  readonly decided: string | undefined;
}

/** How long a prompt has waited for each reason. */
export interface WaitingTime {
  readonly delivery: string;
  readonly at: Instant;
  readonly spentMs: Partial<Readonly<Record<HoldReason['kind'], number>>>;
}

/** Keys that llmc pressed and that no delivery record mentions. */
export interface TypingState {
  readonly wipedAt: Instant | undefined;
  readonly redrawnAt: Instant | undefined;
  readonly clearing: { readonly at: Instant; readonly times: number } | undefined;
  readonly enters: { readonly delivery: string; readonly at: Instant; readonly times: number } | undefined;
  /** The delivery whose Enter was pressed last. */
  readonly entered: string | undefined;
  /** The transcript of this size does not have the prompt of this attempt. */
  readonly searched:
    | { readonly delivery: string; readonly attempt: number; readonly conversation: string | null; readonly size: number }
    | undefined;
  /** How long the agent took to show the last paste, beyond the fixed pause. */
  readonly readTookMs: number | undefined;
  /** What the screen of an agent without patterns showed before the paste, and when Enter was pressed. */
  readonly plain: PlainTyping | undefined;
}

/** One attempt to type a prompt into an agent without patterns. */
export interface PlainTyping {
  readonly delivery: string;
  readonly attempt: number;
  readonly before: readonly string[];
  /** The program in front of the agent's terminal when it took the prompt: another one there is a tool at work. */
  readonly foreground: string;
  readonly atEnter?: PlainScreen;
  /** The screen showed the text, or a part of it, before Enter. */
  readonly wasSeen?: boolean;
}

export interface PlainScreen {
  readonly lines: readonly string[];
  readonly cursor: Pane['cursor'];
}

const NO_PULSE: Pulse = { stopped: undefined, pausedAt: undefined, cpuMs: undefined, activeAt: undefined, at: undefined };

const NO_DIALOG: DialogWatch = { open: undefined, answered: undefined, count: 0 };

const NOTHING_TYPED: TypingState = {
  wipedAt: undefined,
  redrawnAt: undefined,
  clearing: undefined,
  enters: undefined,
  entered: undefined,
  searched: undefined,
  readTookMs: undefined,
  plain: undefined,
};

export function newWatch(name: string, life: Life): Watch {
  const { launchedAt: now } = life;
  return {
    name,
    life,
    tmux: { pane: 'unknown', at: now, pid: undefined, ended: undefined, personTypedAt: undefined, bellAt: undefined },
    pulse: NO_PULSE,
    screen: { capture: undefined, taken: undefined, busyAt: undefined, changedAt: now },
    reported: NOTHING_REPORTED,
    discarded: 0,
    status: { file: undefined, live: undefined },
    assessment: { activity: { kind: 'unknown' }, source: 'none', confidence: 0, rule: 'not observed yet', since: now },
    dialog: NO_DIALOG,
    pollAt: now,
    progress: { handledTurn: 0 },
    commit: undefined,
    work: { at: undefined },
    wokeAt: undefined,
    stuck: undefined,
    resolution: undefined,
    typing: NOTHING_TYPED,
    decided: undefined,
    waiting: undefined,
    limit: { since: undefined },
    startupDialog: { reported: undefined },
    size: { tried: undefined },
    exit: { counted: false, restartAt: undefined },
    diedWithOthers: false,
    woken: { at: undefined, times: 0 },
    protocol: undefined,
  };
}

/** Forgets everything about the agent's earlier incarnations. */
export function beginLife(watch: Watch, life: Life): void {
  Object.assign(watch, newWatch(watch.name, life));
}

/** For an agent that was running before this supervisor: its incarnation began at its launch, not when llmc found it. */
export function adoptLife(watch: Watch, launchedAt: Instant | undefined): void {
  if (launchedAt !== undefined) watch.life = { ...watch.life, launchedAt };
}

/** Remembers that this incarnation was ready: its conversation is open, so a later end is not a refused resume. */
export function noteReady(watch: Watch, { kind }: Activity): void {
  if (watch.life.ready !== true && (kind === 'ready' || kind === 'processing')) watch.life = { ...watch.life, ready: true };
}

/** An agent can end between two passes; its first report also shows that it had opened its conversation. */
export function wasReady({ life, reported }: Watch): boolean {
  return life.ready === true || reported.latest !== null;
}

/** Whether this incarnation was started to resume a conversation and has not done so. */
export function isResuming(watch: Watch): boolean {
  return watch.life.resumed && !wasReady(watch);
}

/** When the agent last gave a sign of progress: a new text on its screen, a report, a protocol message, a tool at work, a longer transcript. */
export function lastProgressAt({ life, screen, reported, protocol, work, wokeAt = 0 }: Watch): Instant {
  const received = protocol?.connection.channel?.receivedAt ?? 0;
  return Math.max(life.launchedAt, screen.changedAt, reported.at ?? 0, received, work.at ?? 0, wokeAt);
}

/** After the clock was set back: signs of progress that lie in the future count as of now, or the agent would not count as silent for hours. */
export function forgetFuture(watch: Watch, now: Instant): void {
  const { life, screen, reported, work, wokeAt, stuck } = watch;
  if (life.launchedAt > now) watch.life = { ...life, launchedAt: now };
  if (screen.changedAt > now) watch.screen = { ...screen, changedAt: now };
  if (reported.at !== null && reported.at > now) watch.reported = { ...reported, at: now };
  if (work.at !== undefined && work.at > now) watch.work = { at: now };
  if (wokeAt !== undefined && wokeAt > now) watch.wokeAt = now;
  if (stuck !== undefined) watch.stuck = { ...stuck, since: Math.min(stuck.since, now), askedAt: Math.min(stuck.askedAt, now) };
}
