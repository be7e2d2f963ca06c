import type { Activity } from '../../agents/activity.ts';
import type { PlainAgent, ScreenReading } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';

/** What is known about a program without patterns, besides the text on its screen. */
export interface Silence {
  readonly now: Instant;
  readonly launchedAt: Instant;
  /** When it last wrote anything. */
  readonly wroteAt: Instant;
  /** Since when its screen shows the same text. */
  readonly stillSince: Instant;
  readonly bellAt: Instant | undefined;
  readonly isBlank: boolean;
  /** This incarnation has been ready before. */
  readonly wasReady: boolean;
  /** When the prompt that it works on was sent; undefined without one. */
  readonly turnSince: Instant | undefined;
  /** The program that has the terminal in place of the agent. */
  readonly tool: string | undefined;
}

/** A program that has drawn its first screen and then writes nothing for this long waits for input. */
const STARTED_AFTER_MS = 3_000;
/** A bell in the middle of a turn is followed by more output. */
const BELL_AFTER_MS = 2_000;
/** How many times longer an unchanged screen must last if the program keeps writing: a spinner may show the same frame in each capture. */
const STILL_TIMES = 3;
/** Longer than a slow program takes to draw its first screen. */
const NEVER_STILL_MS = 60_000;

/** Decides what a program without patterns is doing. A pattern or a question that the screen shows wins over the time. */
export function readSilence(shown: ScreenReading, silence: Silence, plain: PlainAgent): ScreenReading {
  // The program has an input somewhere; llmc checks by the whole screen what it types there.
  const reading: ScreenReading = { ...shown, box: { kind: 'empty' } };
  if (shown.activity.kind !== 'unknown' && shown.activity.kind !== 'starting') return reading;
  const [activity, confidence, rule] = silence.turnSince === undefined ? atRest(silence, plain) : inTurn(silence, silence.turnSince, plain);
  return { ...reading, activity, confidence, rule, source: 'timing' };
}

type Read = readonly [Activity, number, string];

function atRest({ now, launchedAt, wroteAt, isBlank, wasReady }: Silence, { quietMs }: PlainAgent): Read {
  if (wasReady) return [{ kind: 'ready' }, 0.5, 'no prompt is in progress'];
  const silentMs = now - Math.max(wroteAt, launchedAt);
  if (isBlank)
    return silentMs >= quietMs
      ? [{ kind: 'ready' }, 0.3, `it shows nothing, and has been quiet for ${seconds(quietMs)} since its start`]
      : [{ kind: 'starting' }, 0.3, 'the screen is empty'];
  if (silentMs >= STARTED_AFTER_MS) return [{ kind: 'ready' }, 0.5, `quiet for ${seconds(STARTED_AFTER_MS)} after its first output`];
  if (now - launchedAt < NEVER_STILL_MS) return [{ kind: 'starting' }, 0.3, 'it is still writing its first screen'];
  const rule = `it has not been quiet since its start, so llmc cannot tell when it takes a prompt; declare a line of its prompt as ready`;
  return [{ kind: 'unknown' }, 0, rule];
}

function inTurn({ now, wroteAt, stillSince, bellAt, tool }: Silence, turnSince: Instant, { quietMs }: PlainAgent): Read {
  const silentMs = now - Math.max(wroteAt, turnSince);
  if (bellAt !== undefined && bellAt > turnSince && now - Math.max(bellAt, wroteAt) >= BELL_AFTER_MS)
    return [{ kind: 'ready' }, 0.8, `it rang the bell, and has been quiet for ${seconds(BELL_AFTER_MS)}`];
  if (tool !== undefined) return [{ kind: 'processing' }, 0.7, `${tool} runs in its terminal`];
  if (silentMs >= quietMs) return [{ kind: 'ready' }, 0.5, `quiet for ${seconds(quietMs)}`];
  if (now - Math.max(stillSince, turnSince) >= quietMs * STILL_TIMES)
    return [{ kind: 'ready' }, 0.4, `its screen has not changed for ${seconds(quietMs * STILL_TIMES)}, although it keeps writing`];
  return [{ kind: 'processing' }, 0.5, `not quiet for ${seconds(quietMs)} since the prompt`];
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
