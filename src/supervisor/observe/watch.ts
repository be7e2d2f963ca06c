import type { Activity, Assessment } from '../../agents/activity.ts';
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Pane } from '../../terminal/panes.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { ProtocolSession } from './protocol-session.ts';
import { NOTHING_REPORTED, type Reported } from './reported.ts';

export interface Look {
  readonly screen: Screen;
  readonly reading: ScreenReading;
  /** Since when the screen has said the same. */
  readonly since: Instant;
  readonly at: Instant;
  /** What stands there besides spinners and timers: a change of it is progress. */
  readonly essence: string;
}

/** What the supervisor holds in mind about one worker. All of it can be lost: it is rebuilt from the database and by looking. */
export interface Watch {
  readonly name: string;
  incarnation: number;
  launchedAt: Instant;
  resumed: boolean;
  memory: Reported;
  pane: Pane | 'gone' | 'unknown';
  /** When tmux was last asked about it. */
  paneAt: Instant;
  /** The process last seen in its pane: a second witness when tmux shows the session no more. */
  pid: number | undefined;
  goneLooks: number;
  /** Its end was the one crash too many, and a person was called. */
  endCounted: boolean;
  look: Look | undefined;
  /** The pane as it was when its screen was last taken, and when it was asked about. */
  captured: { at: Instant; pane: Pane; by: Agent } | undefined;
  liveFile: { path: string; stamp: string; activity: Activity | undefined } | undefined;
  /** What the CLI's status file says, where it keeps one. */
  live: { activity: Activity; since: Instant } | undefined;
  /** When the agent last showed any sign of getting on. */
  progressAt: Instant;
  /** When the screen last showed it at work. */
  busyAt: Instant | undefined;
  assessment: Assessment;
  personTypedAt: Instant | undefined;
  /** The last turn end that was acted upon. */
  seenTurn: number;
  /** The size of its pane that llmc has tried to change. */
  wrongSize: string | undefined;
  wipedAt: Instant | undefined;
  redrawnAt: Instant | undefined;
  clearing: { at: Instant; times: number } | undefined;
  /** The last decision on its oldest undelivered prompt, for `llmc why`. */
  decided: { delivery: string; step: string; rule: string; why: string } | undefined;
  enters: { delivery: string; at: Instant; times: number } | undefined;
  /** The delivery whose Enter was pressed last. */
  entered: string | undefined;
  /** How long the agent took to show the last paste, beyond the pause it is given anyway. */
  readTookMs: number | undefined;
  /** Since when it is seen at a usage limit, whatever else changes on its screen. */
  limitSince: Instant | undefined;
  /** The last thing logged about a start-up dialog, so that it is said once. */
  dialogSaid: string | undefined;
  /** The connection to an agent that is spoken to; undefined for one that is typed to. */
  protocol: ProtocolSession | undefined;
  /** When it is to be looked at again, unless something happens before. */
  pollAt: Instant;
}

export function newWatch(name: string, incarnation: number, now: Instant): Watch {
  return {
    name,
    incarnation,
    launchedAt: now,
    resumed: false,
    memory: NOTHING_REPORTED,
    pane: 'unknown',
    paneAt: now,
    pid: undefined,
    goneLooks: 0,
    endCounted: false,
    look: undefined,
    captured: undefined,
    liveFile: undefined,
    live: undefined,
    progressAt: now,
    busyAt: undefined,
    assessment: { activity: { kind: 'unknown' }, source: 'none', confidence: 0, rule: 'not looked at yet', since: now },
    personTypedAt: undefined,
    seenTurn: 0,
    wrongSize: undefined,
    wipedAt: undefined,
    redrawnAt: undefined,
    clearing: undefined,
    decided: undefined,
    enters: undefined,
    entered: undefined,
    readTookMs: undefined,
    limitSince: undefined,
    dialogSaid: undefined,
    protocol: undefined,
    pollAt: now,
  };
}

export function noteLook(watch: Watch, screen: Screen, reading: ScreenReading, now: Instant): void {
  const before = watch.look;
  const same = before !== undefined && saying(before.reading) === saying(reading);
  const essence = before?.screen.lines === screen.lines ? before.essence : withoutClockwork(screen);
  if (before?.essence !== essence) watch.progressAt = now;
  if (reading.activity.kind === 'processing') watch.busyAt = now;
  watch.look = { screen, reading, since: same ? before.since : now, at: now, essence };
}

export function noteLive(watch: Watch, activity: Activity | undefined, now: Instant): void {
  const { live } = watch;
  // A retry, or one dialog after another, is still the same kind of thing and has lasted as long.
  watch.live = activity && { activity, since: live?.activity.kind === activity.kind ? live.since : now };
}

/** A spinner that turns and a timer that counts are no progress: only what else changes on the screen is. */
function withoutClockwork(screen: Screen): string {
  return screen.lines.map((line) => line.replace(/\b\d+(\.\d+)?\s?(ms|s|m|h)\b|[·✢✳✶✻✽*⠀-⣿◐◑◒◓|/\\-]/g, '')).join('\n');
}

function saying(reading: ScreenReading): string {
  return `${JSON.stringify(reading.activity)} ${JSON.stringify(reading.box)}`;
}
