import { stripVTControlCharacters } from 'node:util';
import { type Activity, type ActivityKind, type Assessment, type Dialog, isAtStartup, openDialog } from '../../agents/activity.ts';
import type { ScreenReading } from '../../agents/agent.ts';
import { classifyExit } from '../../agents/classify-exit.ts';
import { bareText } from '../../agents/screen-rules/shown-text.ts';
import type { Instant } from '../../base/ports.ts';
import type { Pane } from '../../terminal/panes.ts';
import type { Reported } from '../observe/reported.ts';
import { assessProtocol, type ProtocolEvidence } from './assess-protocol.ts';

/**
 * A screen that contradicts the agent's last report this long is right: hooks get lost, and an interrupt fires none.
 * llmc captures a busy agent every half second, so it knows two seconds after the event.
 */
export const SCREEN_WINS_AFTER_MS = 1_200;
/** The status file trails the hooks by a few dozen milliseconds (Claude Code 2.1), so a short disagreement means nothing. */
export const STATUS_FILE_WINS_AFTER_MS = 400;
/**
 * A file that has not changed since before the hook may only be late: Claude Code 2.1 rewrites it after the hook has ended, which on a
 * loaded machine takes seconds. Trusted too early, it would make a new turn look interrupted, and a finished one busy.
 */
export const STALE_FILE_WINS_AFTER_MS = 4_000;
/** OpenCode 1.18 reported a prompt more than a second before it drew itself at work, on an overloaded machine. */
export const LATE_SCREEN_WINS_AFTER_MS = 4_000;
/** An unknown screen of an agent that reports nothing may be temporary: a page, a menu, a redraw. */
export const UNKNOWN_AFTER_MS = 10_000;
/** An agent without a known screen this long after its launch is unreadable: no other evidence would ever come. */
export const NEVER_READY_AFTER_MS = 30_000;
/** A blank screen this long after the launch is unreadable. OpenCode 1.18 took 40 s to its first frame on an overloaded machine. */
export const STILL_BLANK_AFTER_MS = 120_000;
/** After the agent reported its start, a ready screen must stay unchanged for only two captures. */
const READY_AFTER_START_MS = 250;
/** A menu that covers a running turn this long is a dialog of the agent: a person at its terminal would be attached. */
export const MENU_ASKS_AFTER_MS = 1_200;
/** An agent that is busy this long without a report, a written line or a changed screen is stalled: no other evidence would ever come. */
export const AGENT_STALLED_AFTER_MS = 5 * 60_000;

export interface Evidence {
  /** `unknown`: tmux did not answer; `gone`: tmux answered, and the session does not exist. */
  readonly pane: Pane | 'gone' | 'unknown';
  /** The process that a signal stopped, and since when. */
  readonly stopped?: { readonly pid: number; readonly since: Instant } | undefined;
  readonly reported: Reported;
  /** The activity in the CLI's own status file, and since when. */
  readonly live?: { readonly activity: Activity; readonly since: Instant } | undefined;
  /** The latest reading, since when the screen has been classified so, and when it was last captured. */
  readonly screen: { readonly reading: ScreenReading; readonly since: Instant; readonly at: Instant } | undefined;
  readonly launchedAt: Instant;
  /** The connection to an agent on the protocol channel. */
  readonly protocolEvidence?: ProtocolEvidence | undefined;
  /** The last assessment of the same incarnation. */
  readonly before?: Assessment | undefined;
  /** When the agent last showed any sign of progress. */
  readonly progressAt?: Instant | undefined;
}

/** Merges all evidence into one activity: process first, then the agent's own reports, then the screen. */
export function assess(evidence: Evidence, now: Instant): Assessment {
  const { pane } = evidence;
  if (pane === 'unknown') return verdict({ kind: 'unknown' }, 'none', 0, 'tmux did not answer', now);
  if (pane === 'gone') {
    return verdict({ kind: 'exited', how: 'not_found', status: null, signal: null }, 'process', 1, 'the tmux session is gone', now);
  }
  if (pane.dead) return verdict(howItEnded(pane), 'process', 1, `the agent's process ended (${describeEnd(pane)})`, now);
  // Its last report and its screen are from before: whatever they show, the agent does nothing now.
  if (evidence.stopped !== undefined) {
    const { pid, since } = evidence.stopped;
    return verdict({ kind: 'unknown', stopped: { pid } }, 'process', 1, `the agent's process is stopped (pid ${pid})`, since);
  }
  return stalled(
    evidence.protocolEvidence === undefined ? alive(meaningful(evidence), now) : assessProtocol(evidence.protocolEvidence, now),
    evidence,
    now,
  );
}

/** Only the process proves an end, whatever the screen shows; and an unknown status in the status file is not evidence. */
function meaningful(evidence: Evidence): Evidence {
  return {
    ...evidence,
    screen: evidence.screen?.reading.activity.kind === 'exited' ? undefined : openedByAgent(evidence),
    live: evidence.live?.activity.kind === 'unknown' ? undefined : evidence.live,
  };
}

/** Claude Code 2.1 asks whether to stay in auto mode in a sheet that looks like a menu, and reports nothing: the turn stands still. */
function openedByAgent({ screen, reported, pane }: Evidence): Evidence['screen'] {
  if (screen === undefined || reported.latest?.activity.kind !== 'processing') return screen;
  const { activity } = screen.reading;
  const asks = activity.kind === 'unknown' ? activity.opened?.asks : undefined;
  const heldMs = screen.at - Math.max(screen.since, reported.latest.at);
  if (asks === undefined || heldMs < MENU_ASKS_AFTER_MS || typeof pane === 'string' || pane.attached) return screen;
  return { ...screen, reading: { ...screen.reading, activity: asks, rule: 'the agent opened a dialog in the middle of its turn' } };
}

function alive(evidence: Evidence, now: Instant): Assessment {
  const { latest } = evidence.reported;
  if (latest === null || latest.activity.kind === 'starting') return atStart(evidence);
  if (evidence.live !== undefined) return byStatusFile(evidence, latest, evidence.live, now);
  const shown = evidence.screen?.reading.activity.kind ?? 'unknown';
  const heldMs = evidence.screen === undefined ? 0 : evidence.screen.at - Math.max(evidence.screen.since, latest.at);
  if (evidence.screen !== undefined && contradicts(latest.activity, shown) && heldMs >= patienceWith(evidence.screen, latest)) {
    return fromScreen(evidence.screen, `the screen has contradicted "${latest.event}" for ${heldMs} ms`);
  }
  return fromHook(latest, evidence);
}

/** A screen that has not changed since before the report may only be late: Codex 0.170 draws a dialog after the hook that announces it. */
function patienceWith({ reading, since }: NonNullable<Evidence['screen']>, latest: LatestReport): number {
  const [reportedKind, shown] = [latest.activity.kind, reading.activity.kind];
  const turns = (reportedKind === 'processing' && shown === 'ready') || (reportedKind !== 'processing' && shown === 'processing');
  return turns && since <= latest.at ? LATE_SCREEN_WINS_AFTER_MS : SCREEN_WINS_AFTER_MS;
}

/** Before the first prompt, dialogs show only on the screen, and a status file is the best evidence of readiness. */
function atStart(evidence: Evidence): Assessment {
  const { screen, live } = evidence;
  const { latest } = evidence.reported;
  const shown = screen?.reading.activity.kind ?? 'unknown';
  if (screen !== undefined && (shown === 'awaiting_question' || shown === 'awaiting_permission')) {
    return fromScreen(screen, 'a dialog is open at start-up');
  }
  if (live !== undefined) return verdict(live.activity, 'status_file', 0.95, 'its status file reports it', live.since);
  if (latest === null && evidence.before !== undefined && isByScreen(evidence.before, screen))
    return byScreenAlone(evidence, evidence.before);
  const heldMs = screen === undefined ? 0 : screen.at - Math.max(screen.since, latest?.at ?? evidence.launchedAt);
  const patienceMs = latest === null ? SCREEN_WINS_AFTER_MS : READY_AFTER_START_MS;
  if (screen !== undefined && shown !== 'unknown' && shown !== 'starting' && heldMs >= patienceMs) {
    return fromScreen(screen, `the screen has shown it for ${heldMs} ms`);
  }
  const blankMs = screen === undefined ? 0 : screen.at - Math.max(screen.since, evidence.launchedAt);
  if (latest === null && screen !== undefined && blankMs >= (shown === 'starting' ? STILL_BLANK_AFTER_MS : NEVER_READY_AFTER_MS))
    return unreadable(screen);
  return verdict({ kind: 'starting' }, 'timing', 0.7, 'launched, not ready yet', evidence.launchedAt);
}

/** The silence of a program without patterns is read together with its screen. */
function isByScreen({ source, activity }: Assessment, screen: Evidence['screen']): boolean {
  return source === 'screen' || (source === 'timing' && activity.kind !== 'starting' && screen?.reading.source === 'timing');
}

/** For an agent without reports: a busy screen counts at once; a ready or unknown screen must last. */
function byScreenAlone({ screen }: Evidence, before: Assessment): Assessment {
  if (screen === undefined) return before;
  const shown = screen.reading.activity.kind;
  const heldMs = screen.at - screen.since;
  const patienceMs = shown === 'processing' ? 0 : shown === 'unknown' || shown === 'starting' ? UNKNOWN_AFTER_MS : SCREEN_WINS_AFTER_MS;
  if (heldMs < patienceMs) return before;
  if (shown === 'unknown' || shown === 'starting') return unreadable(screen);
  return fromScreen(screen, `the screen has shown it for ${heldMs} ms`);
}

/** Hook and status file are both reports of the agent: the newer one counts, once the two had time to agree. */
function byStatusFile(evidence: Evidence, latest: LatestReport, live: NonNullable<Evidence['live']>, now: Instant): Assessment {
  const shown = evidence.screen?.reading.activity;
  if (!contradicts(latest.activity, live.activity.kind)) return fromHook(latest, evidence);
  const patienceMs = live.since <= latest.at ? STALE_FILE_WINS_AFTER_MS : STATUS_FILE_WINS_AFTER_MS;
  if (now - Math.max(live.since, latest.at) < patienceMs) return fromHook(latest, evidence);
  // The file reports that a dialog is open, not which one, and it reports idle at a usage limit: only the screen has the detail.
  const isDialog = shown !== undefined && isDialogKind(shown.kind) && isDialogKind(live.activity.kind);
  const knows = isDialog || shown?.kind === live.activity.kind || (live.activity.kind === 'ready' && shown?.kind === 'waiting_limit');
  const activity = knows && shown !== undefined ? shown : interruptedIf(latest.activity, live.activity);
  return verdict(activity, 'status_file', 0.95, `its status file contradicts "${latest.event}"`, live.since);
}

type LatestReport = NonNullable<Reported['latest']>;

/** An idle agent without a report of the end of its turn was interrupted: a person pressed Esc. */
function interruptedIf(reported: Activity, live: Activity): Activity {
  const busy: readonly ActivityKind[] = ['processing', 'awaiting_permission', 'awaiting_question'];
  return live.kind === 'ready' && busy.includes(reported.kind) ? { kind: 'ready', interrupted: true } : live;
}

/** Whether other evidence adds something that the agent's last report does not already cover. */
function contradicts(reported: Activity, shown: ActivityKind): boolean {
  if (shown === 'unknown' || shown === 'starting' || shown === reported.kind) return false;
  // Which of the two a dialog is, the report knows better than a status file or the screen of an unrecorded version.
  if (openDialog(reported) !== undefined && isDialogKind(shown)) return false;
  if (shown !== 'ready' && shown !== 'error') return true;
  // After a failed turn, or with a background task, the agent stands at its prompt like any other.
  const background = reported.kind === 'processing' && reported.detail === 'background';
  return !(
    reported.kind === 'error' ||
    reported.kind === 'waiting_limit' ||
    background ||
    (shown === 'error' && reported.kind === 'ready')
  );
}

const isDialogKind = (kind: ActivityKind): boolean => kind === 'awaiting_question' || kind === 'awaiting_permission';

function fromHook(latest: LatestReport, { screen, before }: Evidence): Assessment {
  const shown = screen?.reading.activity;
  const dialog = openDialog(latest.activity);
  if (dialog !== undefined) {
    const activity = asDrawn(dialog, latest, screen, before);
    return verdict(activity, 'hook', 0.95, `the agent reported "${latest.event}"`, latest.at);
  }
  // Only the screen shows a retry countdown.
  const refined = latest.activity.kind === 'processing' && shown?.kind === 'processing' && shown.detail !== undefined;
  return verdict(refined ? shown : withBanner(latest.activity, shown), 'hook', 0.95, `the agent reported "${latest.event}"`, latest.at);
}

type Permission = Extract<Dialog, { kind: 'awaiting_permission' }>;

/**
 * A report of a permission has no choices, and that of a form has only its first question: the screen has the rest. A screen from before
 * the report shows another dialog, and a screen that is being redrawn shows none: then the last assessment of the same report counts.
 */
function asDrawn(reported: Dialog, latest: LatestReport, screen: Evidence['screen'], before: Assessment | undefined): Dialog {
  const shown = screen === undefined || screen.at <= latest.at ? undefined : openDialog(screen.reading.activity);
  if (shown === undefined || isAtStartup(shown) || shown.choices.length === 0) {
    const last = before?.source === 'hook' && before.since === latest.at ? openDialog(before.activity) : undefined;
    return last ?? reported;
  }
  if (shown.kind === 'awaiting_permission') {
    // The screen of an unrecorded version may not show that it is a question.
    if (reported.kind !== 'awaiting_permission') return shown.tool === 'unknown' && isShownQuestion(reported, shown) ? reported : shown;
    if (!isAbout(reported, shown)) return shown;
    // Without a command on the screen its question names the file, and that of the report may be another one.
    if (shown.command === undefined) return { ...shown, tool: reported.tool };
    return { ...reported, question: shown.question, choices: shown.choices };
  }
  if (reported.kind === 'awaiting_permission') return asPermission(reported, shown);
  return (shown.question === '' || isShownQuestion(reported, shown)) && shown.choices.length === reported.choices.length ? reported : shown;
}

/** Whether a screen shows the question of a report. */
function isShownQuestion(reported: Dialog, shown: Dialog): boolean {
  return bareText(shown.question) === bareText(asTerminalShows(reported.question));
}

/** A report has escape codes by their names (`<U+001B>]0;…`); a terminal obeys them and shows nothing. */
function asTerminalShows(text: string): string {
  return stripVTControlCharacters(text.replace(/<U\+([0-9A-F]{4})>/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
}

/** Two tools can ask at once: the screen shows the first, and the last report is about the second. A tall command shows only its end. */
function isAbout(reported: Permission, { tool, command }: Permission): boolean {
  if (tool !== 'unknown' && tool !== reported.tool) return false;
  return command === undefined || bareText(reported.command ?? '').endsWith(bareText(command.replace(/^…\n/, '')));
}

/** The screen does not name the tool in the words of a recorded version; a list with a "Yes" is still that permission. */
function asPermission(reported: Permission, shown: Dialog): Dialog {
  return shown.choices.some((choice) => /^yes\b/i.test(choice)) ? { ...reported, question: shown.question, choices: shown.choices } : shown;
}

/** Only the screen shows whether the agent continues by itself after a limit, and sometimes when. */
function withBanner(reported: Activity, shown: Activity | undefined): Activity {
  if (reported.kind !== 'waiting_limit' || shown?.kind !== 'waiting_limit') return reported;
  return { ...reported, resetsAt: reported.resetsAt ?? shown.resetsAt, continuesByItself: shown.continuesByItself };
}

function fromScreen({ reading, since }: NonNullable<Evidence['screen']>, rule: string): Assessment {
  if (reading.source === 'timing') return verdict(reading.activity, 'timing', reading.confidence, reading.rule, since);
  return verdict(reading.activity, 'screen', reading.confidence, `${rule} (${reading.rule})`, since);
}

/** The same sentence in every pass: llmc reports each reason to a person once. */
function unreadable(screen: NonNullable<Evidence['screen']>): Assessment {
  const { reading } = screen;
  const activity: Activity = reading.activity.kind === 'unknown' ? reading.activity : { kind: 'unknown' };
  return fromScreen({ ...screen, reading: { ...reading, activity } }, 'its screen cannot be classified');
}

function stalled(assessment: Assessment, evidence: Evidence, now: Instant): Assessment {
  const { activity } = assessment;
  if (activity.kind !== 'processing' || activity.detail !== undefined || evidence.progressAt === undefined) return assessment;
  const quietMs = now - Math.max(evidence.progressAt, assessment.since);
  if (quietMs < AGENT_STALLED_AFTER_MS) return assessment;
  return {
    ...assessment,
    activity: { kind: 'processing', detail: 'stalled' },
    source: 'timing',
    confidence: 0.6,
    rule: `busy, but no sign of progress for ${Math.floor(quietMs / 1_000)} s`,
  };
}

function verdict(activity: Activity, source: Assessment['source'], confidence: number, rule: string, since: Instant): Assessment {
  return { activity, source, confidence, rule, since };
}

function howItEnded({ deadStatus, deadSignal }: Pane): Activity {
  return { kind: 'exited', how: classifyExit(deadStatus, deadSignal), status: deadStatus, signal: deadSignal };
}

function describeEnd(pane: Pane): string {
  return pane.deadSignal === null ? `status ${pane.deadStatus ?? 'unknown'}` : `signal ${pane.deadSignal}`;
}
