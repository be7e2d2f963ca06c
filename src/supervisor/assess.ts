import type { Activity, Assessment } from '../agents/activity.ts';
import type { ScreenReading } from '../agents/agent.ts';
import type { Instant } from '../base/ports.ts';
import type { Pane } from '../terminal/panes.ts';
import type { AgentMemory } from './memory.ts';

/** A screen that contradicts the agent's own last word this long is right: hooks get lost, and an interrupt fires none. */
export const SCREEN_WINS_AFTER_MS = 1_500;
/** After the agent reported its start, a ready screen needs only to hold still for two looks. */
const READY_AFTER_START_MS = 250;

export interface Seen {
  /** `unknown`: tmux did not answer; `gone`: it answered, and the session is not there. */
  readonly pane: Pane | 'gone' | 'unknown';
  readonly memory: AgentMemory;
  /** The latest reading and since when the screen has said so. */
  readonly screen: { readonly reading: ScreenReading; readonly since: Instant; readonly at: Instant } | undefined;
  readonly launchedAt: Instant;
}

/** One activity out of all evidence: process, then the agent's own word, then the screen. */
export function assess(seen: Seen, now: Instant): Assessment {
  const { pane, memory, screen } = seen;
  if (pane === 'unknown') return { activity: { kind: 'unknown' }, source: 'none', confidence: 0, rule: 'tmux did not answer', since: now };
  if (pane === 'gone') return exited({ kind: 'exited', how: 'unknown', status: null, signal: null }, 'the tmux session is gone', now);
  if (pane.dead) return exited(howItEnded(pane), `the agent's process ended (${describeEnd(pane)})`, now);

  const { said } = memory;
  const held = screen === undefined ? 0 : now - Math.max(screen.since, said?.at ?? seen.launchedAt);
  const fromScreen = (rule: string): Assessment | undefined =>
    screen && {
      activity: screen.reading.activity,
      source: 'screen',
      confidence: screen.reading.confidence,
      rule: `${rule} (${screen.reading.rule})`,
      since: screen.since,
    };
  const shown = screen?.reading.activity.kind ?? 'unknown';

  if (said === null || said.activity.kind === 'starting') {
    if (shown === 'awaiting_question' || shown === 'awaiting_permission')
      return fromScreen('a dialog is open at start-up') ?? starting(seen);
    const patience = said === null ? SCREEN_WINS_AFTER_MS : READY_AFTER_START_MS;
    if (shown !== 'unknown' && shown !== 'starting' && held >= patience)
      return fromScreen(`the screen shows it for ${held} ms`) ?? starting(seen);
    return starting(seen);
  }
  if (contradicts(said.activity, shown) && held >= SCREEN_WINS_AFTER_MS) {
    return fromScreen(`the screen contradicts "${said.event}" for ${held} ms`) ?? starting(seen);
  }
  return {
    activity: refined(said.activity, screen?.reading.activity),
    source: 'hook',
    confidence: 0.95,
    rule: `the agent reported "${said.event}"`,
    since: said.at,
  };
}

/** Whether the screen says something the agent's last word does not already cover. */
function contradicts(said: Activity, shown: Activity['kind']): boolean {
  if (shown === 'unknown' || shown === 'starting' || shown === said.kind) return false;
  // After a failed turn, or with a task left running, the agent stands at its prompt like any other.
  if (shown === 'ready' || shown === 'error')
    return !(said.kind === 'error' || said.kind === 'waiting_limit' || (said.kind === 'processing' && said.detail === 'background'));
  return true;
}

/** The screen alone knows a retry countdown. */
function refined(said: Activity, shown: Activity | undefined): Activity {
  return said.kind === 'processing' && shown?.kind === 'processing' && shown.detail !== undefined ? shown : said;
}

function starting(seen: Seen): Assessment {
  return { activity: { kind: 'starting' }, source: 'timing', confidence: 0.7, rule: 'launched, and not ready yet', since: seen.launchedAt };
}

function exited(activity: Activity, rule: string, now: Instant): Assessment {
  return { activity, source: 'process', confidence: 1, rule, since: now };
}

function howItEnded(pane: Pane): Activity {
  const how = pane.deadSignal === null && pane.deadStatus === 0 ? 'user' : 'crash';
  return { kind: 'exited', how, status: pane.deadStatus, signal: pane.deadSignal };
}

function describeEnd(pane: Pane): string {
  return pane.deadSignal === null ? `status ${pane.deadStatus ?? 'unknown'}` : `signal ${pane.deadSignal}`;
}
