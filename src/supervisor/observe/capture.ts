import type { Agent, ScreenReading } from '../../agents/agent.ts';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { WorkContext } from '../../workers/context.ts';

/**
 * How long llmc waits before a key counts as lost. A key that was only late would be pressed twice. The second of two keys that move
 * a selection goes one row too far, perhaps before an Enter. Claude Code 2.1 on two cores with a load of 50 took more than five seconds to draw the effect of a key.
 */
const KEY_PATIENCE_MS = 15_000;
const STILL_PATIENCE_MS = 3_000;
/** A report can arrive between a capture and the redrawing of what it shows. */
const REDRAW_PATIENCE_MS = 1_000;
const POLL_MS = 50;

type ScreenPort = Pick<WorkContext, 'clock' | 'signal'> & { readonly terminal: Pick<WorkContext['terminal'], 'capture'> };

export interface Capture {
  readonly screen: Screen;
  readonly reading: ScreenReading;
}

async function capture(context: ScreenPort, agent: Agent, session: string): Promise<Capture> {
  const screen = (await context.terminal.capture([session])).get(session);
  if (screen === undefined) throw new LlmcError('SESSION_NOT_FOUND', `the session ${session} is not running`, { hint: 'llmc up --detach' });
  return { screen, reading: agent.classify(screen, context.clock.now()) };
}

/** Captures the screen until it is as wanted, or until a key counts as lost. */
export async function captureUntil(
  context: ScreenPort,
  agent: Agent,
  session: string,
  isWanted: (captured: Capture) => boolean | Promise<boolean>,
): Promise<Capture> {
  const deadline = context.clock.now() + KEY_PATIENCE_MS;
  for (;;) {
    const latest = await capture(context, agent, session);
    if ((await isWanted(latest)) || context.clock.now() > deadline) return latest;
    await context.clock.sleep(POLL_MS, context.signal);
  }
}

/**
 * Captures the screen once it is as wanted. After a report that the agent went on, the screen gets a second more: the capture before the
 * report shows what is over, and without that second it would never show anything else if the agent draws the same again.
 */
export async function captureUntilReported(
  context: ScreenPort,
  agent: Agent,
  session: string,
  isWanted: (captured: Capture) => boolean,
  hasReported: () => Promise<boolean>,
): Promise<Capture> {
  let reportedAt: Instant | undefined;
  return await captureUntil(context, agent, session, async (captured) => {
    if (isWanted(captured)) return true;
    const now = context.clock.now();
    if (reportedAt === undefined && (await hasReported())) reportedAt = now;
    return reportedAt !== undefined && now - reportedAt >= REDRAW_PATIENCE_MS;
  });
}

/** Captures the screen once a key has taken effect. The CLI loses or doubles keys that follow each other faster than it draws. */
export async function captureAfterKey(context: ScreenPort, agent: Agent, session: string, before: Screen): Promise<Capture> {
  return await captureUntil(context, agent, session, ({ screen }) => screen.lines.join('\n') !== before.lines.join('\n'));
}

/** Captures the screen once it has not changed for `stillMs`, or has kept changing for too long. */
export async function captureWhenStill(context: ScreenPort, agent: Agent, session: string, stillMs: number): Promise<Capture> {
  const { clock } = context;
  const deadline = clock.now() + STILL_PATIENCE_MS;
  let latest = await capture(context, agent, session);
  for (let since = clock.now(); clock.now() - since < stillMs && clock.now() < deadline; ) {
    await clock.sleep(POLL_MS, context.signal);
    const next = await capture(context, agent, session);
    if (next.screen.lines.join('\n') !== latest.screen.lines.join('\n')) since = clock.now();
    latest = next;
  }
  return latest;
}
