import { STRATEGY_POLICY } from '../../../recovery/strategies.ts';
import type { Run } from '../../model/run.ts';
import { type RunPolicy, Turn } from '../turn.ts';
import { type LeftOut, leftOut } from './left-out.ts';
import { endPause } from './resume.ts';

/** What a paused run would go on without if a person skipped to a stage. */
export function skipEffect(run: Run, stage: string, continueWithout: readonly string[]): LeftOut {
  const turn = new Turn(run, { at: run.pause?.sinceMs ?? 0, dice: 0 }, { ...UNSTORED, continueWithout });
  endPause(turn, { kind: 'skip_to', stage });
  return leftOut(run.steps, turn.run);
}

/** For a decision that nobody stores: no time passes in it. */
const UNSTORED: Omit<RunPolicy, 'continueWithout'> = {
  ...STRATEGY_POLICY,
  stageTimeoutMs: 0,
  runTimeoutMs: 0,
  startTimeoutMs: 0,
  nudgeTimeoutMs: 0,
  queueTimeoutMs: 0,
  saveTimeoutMs: 0,
  checkpointEveryMs: 0,
  checkpointTypes: [],
  keepCheckpoints: 0,
};
