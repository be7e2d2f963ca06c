import type { Instant } from '../../base/ports.ts';
import type { Plan } from '../definition/plan.ts';
import type { Run } from './run.ts';

/** A run before its first event. */
export function newRun(id: string, plan: Plan, inputs: Run['inputs'], at: Instant): Run {
  return {
    id,
    plan,
    inputs,
    status: 'running',
    version: 0,
    counter: 0,
    clock: { startedMs: at, stoppedMs: 0, stoppedSince: null, endedMs: null },
    pause: null,

    steps: {},
    roles: {},
    recoveries: 0,
    level: 'full',
    warnings: [],
    losses: [],
    notices: [],
    escalations: [],
    compensations: [],
    breakers: {},
    checkpointMs: at,
    error: null,
    seats: [],
    dismissMs: null,
  };
}
