import { createHash } from 'node:crypto';
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { Capture } from './capture.ts';
import { readSilence, type Silence } from './read-silence.ts';
import type { Watch } from './watch.ts';

/** Stores the screen captured in this pass (`askedAt`), or the last one again. An unchanged screen is classified again only by another adapter: a declared adapter classifies differently after a change of config.toml. */
export function noteScreen(
  watch: Watch,
  agent: Agent,
  screen: Screen,
  { askedAt, turnSince }: { readonly askedAt: Instant | undefined; readonly turnSince?: Instant | undefined },
  now: Instant,
): void {
  const { capture, taken } = watch.screen;
  const known = capture?.screen === screen && taken?.by === agent && isByTextAlone(agent) ? capture.reading : undefined;
  const reading = known ?? agent.classify(screen, now);
  noteCapture(
    watch,
    {
      screen,
      reading: agent.plain === undefined ? reading : readSilence(reading, collectSilence(watch, screen, turnSince, now), agent.plain),
    },
    now,
  );
  const { pane } = watch.tmux;
  if (askedAt !== undefined && typeof pane !== 'string') watch.screen = { ...watch.screen, taken: { at: askedAt, pane, by: agent } };
  else if (taken !== undefined) watch.screen = { ...watch.screen, taken: { ...taken, by: agent } };
}

/** The same screen may be classified differently later: by the time, or without a pattern that was proven wrong. */
function isByTextAlone({ plain, patterns }: Agent): boolean {
  return plain === undefined && patterns?.isReduced !== true;
}

function collectSilence(watch: Watch, screen: Screen, turnSince: Instant | undefined, now: Instant): Silence {
  const { life, tmux, typing } = watch;
  const { pane, bellAt } = tmux;
  const front = typeof pane === 'string' ? undefined : pane.command;
  return {
    now,
    launchedAt: life.launchedAt,
    bellAt,
    turnSince,
    wasReady: life.ready === true,
    // tmux reports whole seconds: it may have written until the end of the second.
    wroteAt: typeof pane === 'string' ? now : Math.min(now, pane.wroteAt * 1_000 + 1_000),
    stillSince: stillSince(watch, screen, now),
    isBlank: screen.lines.every((line) => line === ''),
    tool: typing.plain !== undefined && front !== typing.plain.foreground ? front : undefined,
  };
}

function stillSince({ screen: { capture } }: Watch, screen: Screen, now: Instant): Instant {
  return capture?.screen.lines === screen.lines ? capture.stillSince : now;
}

export function noteCapture(watch: Watch, { screen, reading }: Capture, now: Instant): void {
  const { capture: before, busyAt, changedAt, recalled } = watch.screen;
  const same = before !== undefined && saying(before.reading) === saying(reading);
  const essence = before?.screen.lines === screen.lines ? before.essence : withoutClockwork(screen);
  const isRecalled = recalled !== undefined && hashEssence(essence) === recalled;
  const since = isRecalled ? changedAt : now;
  watch.screen = {
    ...watch.screen,
    capture: { screen, reading, since: same ? before.since : since, at: now, stillSince: stillSince(watch, screen, now), essence },
    busyAt: reading.activity.kind === 'processing' ? now : busyAt,
    changedAt: before?.essence === essence || isRecalled ? changedAt : now,
    recalled: undefined,
  };
}

/** What the screen shows, for the next supervisor; null before the first capture. */
export function screenHash({ screen: { capture } }: Watch): string | null {
  return capture === undefined ? null : hashEssence(capture.essence);
}

/** After a restart of the supervisor, for an agent that still runs: the last one had observed no progress since then. */
export function recallScreen(watch: Watch, hash: string, since: Instant): void {
  watch.screen = { ...watch.screen, changedAt: since, recalled: hash };
}

function hashEssence(essence: string): string {
  return createHash('sha256').update(essence).digest('hex');
}

/** An old capture is not evidence about now. */
export function dropCapture(watch: Watch): void {
  watch.screen = { ...watch.screen, capture: undefined };
}

/** tmux reports titles with its panes, not with their screens. A screen that has not changed stays the same object. */
export function withTitle(screen: Screen | undefined, { tmux: { pane }, screen: { capture } }: Watch): Screen | undefined {
  if (screen === undefined || typeof pane === 'string') return screen;
  if (capture?.screen.lines === screen.lines && capture.screen.title === pane.title) return capture.screen;
  return { ...screen, title: pane.title };
}

/** Whether the screen may have changed since its capture. tmux reports the time of the last write in whole seconds: within the second of the capture, the program may have written after it. */
export function mayHaveChanged({ tmux: { pane }, screen: { taken } }: Watch): boolean {
  if (typeof pane === 'string' || pane.dead || taken === undefined) return true;
  if (pane.wroteAt !== taken.pane.wroteAt || pane.wroteAt * 1_000 + 1_000 > taken.at) return true;
  return pane.width !== taken.pane.width || pane.height !== taken.pane.height;
}

/** A spinner and a timer are not progress: only other changes of the screen are. */
function withoutClockwork(screen: Screen): string {
  return screen.lines.map((line) => line.replace(/\b\d+(\.\d+)?\s?(ms|s|m|h)\b|[·✢✳✶✻✽*⠀-⣿◐◑◒◓|/\\-]/g, '')).join('\n');
}

function saying(reading: ScreenReading): string {
  return `${JSON.stringify(reading.activity)} ${JSON.stringify(reading.box)}`;
}
