import type { Activity, ActivityKind, Assessment } from '../../agents/activity.ts';
import type { ScreenReading } from '../../agents/agent.ts';
import { classifyExit } from '../../agents/classify-exit.ts';
import type { Instant } from '../../base/ports.ts';
import type { Pane } from '../../terminal/panes.ts';
import type { Reported } from '../observe/reported.ts';
import { assessProtocol, type ProtocolEvidence } from './assess-protocol.ts';

/**
 * A screen that contradicts the agent's own last word this long is right: hooks get lost, and an interrupt fires none.
 * With a look every half second at a busy agent, that is known two seconds after it happened.
 */
export const SCREEN_WINS_AFTER_MS = 1_200;
/** The status file trails the hooks by a few dozen milliseconds (Claude Code 2.1), so a short disagreement means nothing. */
export const STATUS_FILE_WINS_AFTER_MS = 400;
/**
 * A file that has not changed since before the hook may only be late: Claude Code 2.1 rewrites it after the hook has ended, which on a
 * loaded machine is seconds. Taken at its word too early, a turn that began would look interrupted, and one that ended still busy.
 */
export const STALE_FILE_WINS_AFTER_MS = 4_000;
/** OpenCode 1.18 reported a prompt more than a second before it drew itself at work, on an overloaded machine. */
export const LATE_SCREEN_WINS_AFTER_MS = 4_000;
/** What stands on the screen of an agent that says nothing, and is not known, may be passing: a page, a menu, a redraw. */
export const UNKNOWN_AFTER_MS = 10_000;
/** Shown nothing that is known for this long after its launch: nobody else would ever say so. */
export const NEVER_READY_AFTER_MS = 30_000;
/** Shown nothing at all: it may only be slow. OpenCode 1.18 took 40 s to its first frame on an overloaded machine. */
export const STILL_BLANK_AFTER_MS = 120_000;
/** After the agent reported its start, a ready screen needs only to hold still for two looks. */
const READY_AFTER_START_MS = 250;
/** Busy for this long without a report, a written line or a changed screen: nobody else would ever say so. */
export const STALLED_AFTER_MS = 5 * 60_000;

export interface Seen {
  /** `unknown`: tmux did not answer; `gone`: it answered, and the session is not there. */
  readonly pane: Pane | 'gone' | 'unknown';
  readonly reported: Reported;
  /** What the CLI's own status file says, and since when. */
  readonly live?: { readonly activity: Activity; readonly since: Instant } | undefined;
  /** The latest reading, since when the screen has said so, and when it was last seen to. */
  readonly screen: { readonly reading: ScreenReading; readonly since: Instant; readonly at: Instant } | undefined;
  readonly launchedAt: Instant;
  /** The connection to an agent that is spoken to. */
  readonly protocolEvidence?: ProtocolEvidence | undefined;
  /** What was believed last, of the same life. */
  readonly before?: Assessment | undefined;
  /** When the agent last showed any sign of getting on. */
  readonly progressAt?: Instant | undefined;
}

/** One activity out of all evidence: process, then the agent's own word, then the screen. */
export function assess(seen: Seen, now: Instant): Assessment {
  const { pane } = seen;
  if (pane === 'unknown') return verdict({ kind: 'unknown' }, 'none', 0, 'tmux did not answer', now);
  if (pane === 'gone') {
    return verdict({ kind: 'exited', how: 'unknown', status: null, signal: null }, 'process', 1, 'the tmux session is gone', now);
  }
  if (pane.dead) return verdict(howItEnded(pane), 'process', 1, `the agent's process ended (${describeEnd(pane)})`, now);
  return stalled(
    seen.protocolEvidence === undefined ? alive(meaningful(seen), now) : assessProtocol(seen.protocolEvidence, now),
    seen,
    now,
  );
}

/** Whether it has ended only its process says, whatever stands on its screen; and a status nobody knows the word of says nothing. */
function meaningful(seen: Seen): Seen {
  return {
    ...seen,
    screen: seen.screen?.reading.activity.kind === 'exited' ? undefined : seen.screen,
    live: seen.live?.activity.kind === 'unknown' ? undefined : seen.live,
  };
}

function alive(seen: Seen, now: Instant): Assessment {
  const { said } = seen.reported;
  if (said === null || said.activity.kind === 'starting') return atStart(seen);
  if (seen.live !== undefined) return byStatusFile(seen, said, seen.live, now);
  const shown = seen.screen?.reading.activity.kind ?? 'unknown';
  const heldMs = seen.screen === undefined ? 0 : seen.screen.at - Math.max(seen.screen.since, said.at);
  if (seen.screen !== undefined && contradicts(said.activity, shown) && heldMs >= patienceWith(seen.screen, said)) {
    return fromScreen(seen.screen, `the screen contradicts "${said.event}" for ${heldMs} ms`);
  }
  return fromHook(said, seen.screen?.reading.activity);
}

/** A picture of an agent at rest that is older than the report of its prompt may only be late, and so may one at work at the end of its turn. */
function patienceWith({ reading, since }: NonNullable<Seen['screen']>, said: Said): number {
  const [told, shown] = [said.activity.kind, reading.activity.kind];
  const turns = (told === 'processing' && shown === 'ready') || (told === 'ready' && shown === 'processing');
  return turns && since <= said.at ? LATE_SCREEN_WINS_AFTER_MS : SCREEN_WINS_AFTER_MS;
}

/** Before the first prompt: dialogs show on the screen alone, and a status file tells readiness best. */
function atStart(seen: Seen): Assessment {
  const { screen, live } = seen;
  const { said } = seen.reported;
  const shown = screen?.reading.activity.kind ?? 'unknown';
  if (screen !== undefined && (shown === 'awaiting_question' || shown === 'awaiting_permission')) {
    return fromScreen(screen, 'a dialog is open at start-up');
  }
  if (live !== undefined) return verdict(live.activity, 'status_file', 0.95, 'its status file says so', live.since);
  if (said === null && seen.before?.source === 'screen') return byScreenAlone(seen, seen.before);
  const heldMs = screen === undefined ? 0 : screen.at - Math.max(screen.since, said?.at ?? seen.launchedAt);
  const patienceMs = said === null ? SCREEN_WINS_AFTER_MS : READY_AFTER_START_MS;
  if (screen !== undefined && shown !== 'unknown' && shown !== 'starting' && heldMs >= patienceMs) {
    return fromScreen(screen, `the screen shows it for ${heldMs} ms`);
  }
  const blankMs = screen === undefined ? 0 : screen.at - Math.max(screen.since, seen.launchedAt);
  if (said === null && screen !== undefined && blankMs >= (shown === 'starting' ? STILL_BLANK_AFTER_MS : NEVER_READY_AFTER_MS))
    return unreadable(screen);
  return verdict({ kind: 'starting' }, 'timing', 0.7, 'launched, and not ready yet', seen.launchedAt);
}

/** An agent that never says a word. Work is believed at sight; its end, and a screen that says nothing, must last. */
function byScreenAlone({ screen }: Seen, before: Assessment): Assessment {
  if (screen === undefined) return before;
  const shown = screen.reading.activity.kind;
  const heldMs = screen.at - screen.since;
  const patienceMs = shown === 'processing' ? 0 : shown === 'unknown' || shown === 'starting' ? UNKNOWN_AFTER_MS : SCREEN_WINS_AFTER_MS;
  if (heldMs < patienceMs) return before;
  if (shown === 'unknown' || shown === 'starting') return unreadable(screen);
  return fromScreen(screen, `the screen shows it for ${heldMs} ms`);
}

/** Hook and status file are both the agent's own word: the newer one, once the two had time to agree. */
function byStatusFile(seen: Seen, said: Said, live: NonNullable<Seen['live']>, now: Instant): Assessment {
  const shown = seen.screen?.reading.activity;
  if (!contradicts(said.activity, live.activity.kind)) return fromHook(said, shown);
  const patienceMs = live.since <= said.at ? STALE_FILE_WINS_AFTER_MS : STATUS_FILE_WINS_AFTER_MS;
  if (now - Math.max(live.since, said.at) < patienceMs) return fromHook(said, shown);
  // The file says that a dialog is open, not which one, and idle at a usage limit: the screen knows.
  const knows = shown?.kind === live.activity.kind || (live.activity.kind === 'ready' && shown?.kind === 'waiting_limit');
  const activity = knows ? shown : interruptedIf(said.activity, live.activity);
  return verdict(activity, 'status_file', 0.95, `its status file contradicts "${said.event}"`, live.since);
}

type Said = NonNullable<Reported['said']>;

/** Idle without the end of a turn having been reported: somebody pressed Esc. */
function interruptedIf(said: Activity, live: Activity): Activity {
  const busy: readonly ActivityKind[] = ['processing', 'awaiting_permission', 'awaiting_question'];
  return live.kind === 'ready' && busy.includes(said.kind) ? { kind: 'ready', interrupted: true } : live;
}

/** Whether another witness says something the agent's last word does not already cover. */
function contradicts(said: Activity, shown: ActivityKind): boolean {
  if (shown === 'unknown' || shown === 'starting' || shown === said.kind) return false;
  if (shown !== 'ready' && shown !== 'error') return true;
  // After a failed turn, or with a task left running, the agent stands at its prompt like any other.
  const background = said.kind === 'processing' && said.detail === 'background';
  return !(said.kind === 'error' || said.kind === 'waiting_limit' || background || (shown === 'error' && said.kind === 'ready'));
}

function fromHook(said: Said, shown: Activity | undefined): Assessment {
  // The screen alone knows a retry countdown.
  const refined = said.activity.kind === 'processing' && shown?.kind === 'processing' && shown.detail !== undefined;
  return verdict(refined ? shown : withBanner(said.activity, shown), 'hook', 0.95, `the agent reported "${said.event}"`, said.at);
}

/** The screen alone knows whether the agent goes on by itself after a limit, and sometimes when. */
function withBanner(said: Activity, shown: Activity | undefined): Activity {
  if (said.kind !== 'waiting_limit' || shown?.kind !== 'waiting_limit') return said;
  return { ...said, resetsAt: said.resetsAt ?? shown.resetsAt, continuesByItself: shown.continuesByItself };
}

function fromScreen({ reading, since }: NonNullable<Seen['screen']>, rule: string): Assessment {
  return verdict(reading.activity, 'screen', reading.confidence, `${rule} (${reading.rule})`, since);
}

/** The same words at every look: a person is told of each reason once. */
function unreadable(screen: NonNullable<Seen['screen']>): Assessment {
  return fromScreen({ ...screen, reading: { ...screen.reading, activity: { kind: 'unknown' } } }, 'its screen tells nothing');
}

function stalled(assessment: Assessment, seen: Seen, now: Instant): Assessment {
  const { activity } = assessment;
  if (activity.kind !== 'processing' || activity.detail !== undefined || seen.progressAt === undefined) return assessment;
  const quietMs = now - Math.max(seen.progressAt, assessment.since);
  if (quietMs < STALLED_AFTER_MS) return assessment;
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
