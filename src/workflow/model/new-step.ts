import type { Step } from './run.ts';

export function newStep(address: string): Step {
  return {
    address,
    state: { kind: 'waiting' },
    attempt: 0,
    tries: 0,
    tried: [],
    seat: null,
    failures: {},
    round: 1,
    feedback: null,
    item: null,
    result: null,
    marks: [],
    startedMs: null,
    endedMs: null,
    recoveredMs: null,
  };
}
