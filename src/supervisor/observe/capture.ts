import type { Agent, ScreenReading } from '../../agents/agent.ts';
import { LlmcError } from '../../base/error.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { WorkContext } from '../../workers/context.ts';

/**
 * Before a key counts as lost. One that was only late would be pressed twice, and of two that move a selection the second goes one
 * row too far, perhaps under an Enter. Claude Code 2.1 on two cores with a load of 50 took more than five seconds to draw what a key did.
 */
const KEY_PATIENCE_MS = 15_000;
const STILL_PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 50;

type ScreenPort = Pick<WorkContext, 'clock' | 'signal'> & { readonly terminal: Pick<WorkContext['terminal'], 'capture'> };

export interface Capture {
  readonly screen: Screen;
  readonly reading: ScreenReading;
}

export async function capture(context: ScreenPort, agent: Agent, session: string): Promise<Capture> {
  const screen = (await context.terminal.capture([session])).get(session);
  if (screen === undefined) throw new LlmcError('SESSION_NOT_FOUND', `the session ${session} is not running`, { hint: 'llmc up --detach' });
  return { screen, reading: agent.classify(screen, context.clock.now()) };
}

/** What the screen shows once it has taken notice of a key. Keys that follow each other faster than the CLI draws are lost or doubled. */
export async function captureAfterKey(context: ScreenPort, agent: Agent, session: string, before: Screen): Promise<Capture> {
  const deadline = context.clock.now() + KEY_PATIENCE_MS;
  for (;;) {
    const seen = await capture(context, agent, session);
    if (seen.screen.lines.join('\n') !== before.lines.join('\n') || context.clock.now() > deadline) return seen;
    await context.clock.sleep(LOOK_EVERY_MS, context.signal);
  }
}

/** What the screen shows once it has not changed for `stillMs`, or has kept changing for too long. */
export async function captureWhenStill(context: ScreenPort, agent: Agent, session: string, stillMs: number): Promise<Capture> {
  const { clock } = context;
  const deadline = clock.now() + STILL_PATIENCE_MS;
  let seen = await capture(context, agent, session);
  for (let since = clock.now(); clock.now() - since < stillMs && clock.now() < deadline; ) {
    await clock.sleep(LOOK_EVERY_MS, context.signal);
    const next = await capture(context, agent, session);
    if (next.screen.lines.join('\n') !== seen.screen.lines.join('\n')) since = clock.now();
    seen = next;
  }
  return seen;
}
