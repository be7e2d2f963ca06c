import type { Instant } from '../../base/ports.ts';
import type { Step } from '../model/run.ts';
import { fallbackFor } from './breaker/provider.ts';
import { substitute } from './failure.ts';
import { roleAt } from './seat.ts';
import { moveDeadline, parked } from './time/run-clock.ts';
import type { Turn } from './turn.ts';

/** A limit that ends sooner is waited for: another agent would begin a conversation of its own, and read everything again. */
const WORTH_WAITING_MS = 2 * 60_000;

/**
 * The account of a step's agent is at its usage limit. The fallback of the role goes on at once, after the session of the other agent
 * has ended: Claude Code 2.1 continues by itself after the reset. Without a fallback, the step waits, and its time stands still.
 */
export function atLimit(turn: Turn, step: Step, untilMs: Instant | null): void {
  const { address } = step;
  const role = roleAt(turn.stage(address));
  const endsSoon = untilMs !== null && untilMs - turn.at <= WORTH_WAITING_MS;
  if (role === undefined || endsSoon || fallbackFor(turn, role, address) === undefined) return moveDeadline(turn, step, parked);
  substitute(turn, address, { code: 'RATE_LIMITED', message: `the account of the agent of ${role} is at its usage limit` });
  if (untilMs !== null) turn.changeAgent(role, address, { backMs: untilMs });
}
