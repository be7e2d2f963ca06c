import type { ErrorCode } from '../../../base/error-codes.ts';
import { admit, type Breaker } from '../../../recovery/decide-breaker.ts';
import { errorRecord } from '../../../recovery/error-record.ts';
import { agentsFor } from '../../agents-file/agents-for.ts';
import type { ProviderOutcome } from '../../model/action.ts';
import { TRIGGER_OF } from '../failure-trigger.ts';
import { roleAt } from '../seat.ts';
import type { Turn } from '../turn.ts';

/** The agent that a role uses for a step, by name. */
export function nameAgent(turn: Turn, role: string, address: string, agent: 'own' | 'fallback'): string {
  const { agent: own, fallback } = agentsFor(turn.run, role, address);
  return (agent === 'fallback' ? fallback : own) ?? turn.policy.providers?.defaultAgent ?? '';
}

/** The agent that can take over in a step, by name; undefined if the role has none, if it has taken over already, or if it is not installed. */
export function fallbackFor(turn: Turn, role: string, address: string): string | undefined {
  if (turn.role(role, address).agent === 'fallback' || missingFallback(turn, role, address) !== undefined) return undefined;
  return agentsFor(turn.run, role, address).fallback;
}

/** Why the fallback of a role cannot be started here. */
export function missingFallback(turn: Turn, role: string, address: string): string | undefined {
  const { fallback } = agentsFor(turn.run, role, address);
  return fallback === undefined ? undefined : turn.policy.missingAgent?.(fallback);
}

/**
 * New work goes to the fallback of a role at once while the service of its own agent fails for everybody. The first step after the wait
 * is the one try. Returns whether the agent was changed.
 */
export function moveToFallback(turn: Turn, role: string, address: string): boolean {
  const { providers } = turn.policy;
  const fallback = fallbackFor(turn, role, address);
  if (providers === undefined || fallback === undefined) return false;
  const own = nameAgent(turn, role, address, 'own');
  const account = providers.accountOf(own);
  const state = findBreakerState(turn, account);
  // Another agent of the same account would fail too.
  const isHopeless = providers.accountOf(fallback) === account || findBreakerState(turn, providers.accountOf(fallback))?.kind === 'open';
  if (state === undefined || isHopeless) return false;
  const { admitted, breaker } = admit(state, nameStep(turn, address), turn.at, () => false);
  if (admitted) {
    if (breaker !== state) {
      write(turn, address, account, 'tried');
      turn.tried.add(account);
    }
    return false;
  }
  const message = `the service of ${own} fails`;
  const replaced = errorRecord({ id: `${turn.run.id}.${turn.number()}`, code: 'NETWORK_ERROR', message, component: address, at: turn.at });
  const backMs = state.kind === 'open' ? state.until : turn.at + providers.retryAfterMs;
  turn.changeAgent(role, address, { agent: 'fallback', unavailable: false, replaced, backMs });
  turn.note(address, `${fallback} does it: ${message} at the moment`);
  return true;
}

/** Whether new work may go to the own agent of a role again, which was replaced because its service failed. */
export function maySendBack(turn: Turn, role: string, address: string): boolean {
  const account = turn.policy.providers?.accountOf(nameAgent(turn, role, address, 'own')) ?? '';
  const state = findBreakerState(turn, account);
  return state === undefined || admit(state, nameStep(turn, address), turn.at, () => false).admitted;
}

/** A failure of the network or of the service counts for all runs; other failures are the agent's own. */
export function providerFailed(turn: Turn, address: string, code: ErrorCode): void {
  if (TRIGGER_OF[code] === 'network') record(turn, address, 'failed');
}

/** An agent that ends its turn has reached its service. */
export function providerAnswered(turn: Turn, address: string): void {
  record(turn, address, 'succeeded');
}

function record(turn: Turn, address: string, outcome: 'failed' | 'succeeded'): void {
  const { providers } = turn.policy;
  const role = roleAt(turn.stage(address));
  if (providers === undefined || role === undefined) return;
  const account = providers.accountOf(nameAgent(turn, role, address, turn.role(role, address).agent));
  // Nothing to forget.
  if (outcome === 'succeeded' && findBreakerState(turn, account) === undefined) return;
  write(turn, address, account, outcome);
}

function write(turn: Turn, address: string, account: string, outcome: ProviderOutcome['outcome']): void {
  const { failures = 0, retryAfterMs = 0 } = turn.policy.providers ?? {};
  turn.record({ kind: 'provider', account, by: nameStep(turn, address), outcome, policy: { failures, retryAfterMs } });
}

function findBreakerState({ policy: { providers }, tried, at }: Turn, account: string): Breaker | undefined {
  const state = providers !== undefined && Object.hasOwn(providers.states, account) ? providers.states[account] : undefined;
  if (state === undefined || !tried.has(account)) return state;
  return { kind: 'open', failures: state.failures, until: at + (providers?.retryAfterMs ?? 0) };
}

const nameStep = ({ run }: Turn, address: string): string => `${run.id} ${address}`;
