import { formatSpan } from '../../../base/duration.ts';
import { degradationRule } from '../../../recovery/degradation.ts';
import { errorRecord } from '../../../recovery/error-record.ts';
import { findBreaker } from '../breaker/breaker.ts';
import { takeDefaults } from '../decided.ts';
import { endWith } from '../end-run.ts';
import { fail } from '../failure.ts';
import { warnHalfWay } from '../questions/deadlines.ts';
import { commandLate } from '../results.ts';
import { hasNoAgent } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { agentAtWork, lookAfter } from './nudge.ts';
import { findDeadline, runTimeLeft } from './run-clock.ts';

/** Does what is due by the clock. */
export function due(turn: Turn): void {
  if (turn.run.status !== 'running') return;
  if (runTimeLeft(turn.run, turn.policy, turn.at) <= 0) return runTimeout(turn);
  takeDefaults(turn);
  warnHalfWay(turn);
  for (const step of Object.values(turn.run.steps)) {
    if (turn.run.status !== 'running') return;
    // A step before it may have rolled this one back.
    if (turn.run.steps[step.address]?.state !== step.state) continue;
    const deadline = findDeadline(step);
    if (deadline === null || turn.at < deadline.at) continue;
    if (step.state.kind === 'acting') notTaken(turn, step.address);
    else stageTimeout(turn, step.address);
  }
  if (turn.at - turn.run.checkpointMs >= turn.policy.checkpointEveryMs) turn.record({ kind: 'checkpoint', type: 'periodic', note: '' });
}

function stageTimeout(turn: Turn, address: string): void {
  const stage = turn.stage(address);
  if (stage.kind === 'for_each')
    return fail(turn, address, 'timeout', { code: 'STAGE_FAILED', message: lateMessage(turn, address), asks: 'timeout' });
  if (hasNoAgent(stage)) return commandLate(turn, address);
  const working = agentAtWork(turn, address);
  if (working?.nudge !== undefined) return lookAfter(turn, address, working);
  tooLong(turn, address);
}

/** The agent of a stage takes longer than it may, or has not answered the question how far it is. */
export function tooLong(turn: Turn, address: string): void {
  const timeoutMs = turn.stage(address).timeoutMs ?? turn.policy.stageTimeoutMs;
  fail(turn, address, 'timeout', { code: 'AGENT_TIMEOUT', message: lateMessage(turn, address), context: { timeoutMs } });
}

function lateMessage(turn: Turn, address: string): string {
  const stage = turn.stage(address);
  const allowedMs = (stage.timeoutMs ?? turn.policy.stageTimeoutMs) * (findBreaker(turn.run, stage)?.stretch ?? 1);
  return `${address} takes longer than it may (${formatSpan(allowedMs)})`;
}

/** Nothing reports it: the agent may hang before it shows anything. */
function notTaken(turn: Turn, address: string): void {
  const message = `the agent did not take the task of ${address} within ${formatSpan(turn.policy.startTimeoutMs)}`;
  fail(turn, address, 'crash', { code: 'AGENT_SPAWN_FAILED', message });
}

function runTimeout(turn: Turn): void {
  const id = `${turn.run.id}.${turn.number()}`;
  const timeoutMs = turn.run.plan.timeoutMs ?? turn.policy.runTimeoutMs;
  const message = 'the run takes longer than it may';
  const error = errorRecord({ id, code: 'WORKFLOW_TIMEOUT', message, component: 'run', at: turn.at, context: { timeoutMs } });
  turn.record({ kind: 'error', error });
  endWith(turn, 'failed', error);
  const rule = degradationRule({ code: error.code });
  const loss = rule === undefined ? [] : [{ step: null, impact: rule.impact, mitigation: rule.mitigation }];
  turn.warn(rule?.message ?? message, ...loss);
}
