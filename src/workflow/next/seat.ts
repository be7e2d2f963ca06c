import type { ReviewStage, WorkStage } from '../definition/plan.ts';
import { isOver, type Step } from '../model/run.ts';
import { listSiblings, type RunStage } from '../model/stage-at.ts';
import type { Turn } from './turn.ts';

/** The role whose agent does the stage; undefined for a stage without an agent. */
export function roleAt(stage: RunStage): string | undefined {
  if (stage.kind === 'work') return stage.role;
  return stage.kind === 'review' && stage.by.kind === 'role' ? stage.by.role : undefined;
}

/** Shell lines and landings: no worker of the run does them. */
export function hasNoAgent(stage: RunStage): boolean {
  return roleAt(stage) === undefined;
}

export function requireRole(stage: WorkStage | ReviewStage): string {
  const role = roleAt(stage);
  if (role === undefined) throw new Error(`${stage.id} has no role`);
  return role;
}

/** The worker that does a step, without the name of the run: `developer`, `developer-2`. */
export function nameSeat(turn: Turn, address: string): string {
  const role = roleAt(turn.stage(address));
  const { seat } = turn.step(address);
  if (role === undefined || seat === null) throw new Error(`${address} has no worker`);
  return seat === 1 ? role : `${role}-${seat}`;
}

/** Gives the step the first worker of its role that no other step needs. A step keeps the one it has. */
export function takeSeat(turn: Turn, address: string): void {
  if (turn.step(address).seat !== null) return;
  const taken = takenBeside(turn, address);
  let seat = 1;
  while (taken.has(seat)) seat += 1;
  turn.changeStep(address, { seat });
}

/** Whether the worker that a step had is still free for it: another step may have it by now. */
export function isSeatFree(turn: Turn, address: string): boolean {
  return !takenBeside(turn, address).has(turn.step(address).seat);
}

/** Whether the worker that did a step has had no other task since. An item that is reviewed again may find its author at work on another one. */
export function hasItsWorker(turn: Turn, address: string): boolean {
  const { seat, tried } = turn.step(address);
  const isLater = (step: Step) => step.seat === seat && toSeatNumber(step.tried) > toSeatNumber(tried);
  return tried.length > 0 && isSeatFree(turn, address) && !stepsBeside(turn, address).some(isLater);
}

/**
 * Before steps are removed: a worker whose later task was of one of them is not the worker of the earlier steps any more. Its conversation
 * and its commits are of the later task, and nothing else says so once that step is gone.
 */
export function leaveWorkers(turn: Turn, addresses: readonly string[]): void {
  const gone = new Set(addresses);
  for (const address of addresses) {
    const step = turn.run.steps[address];
    if (step === undefined || step.seat === null || step.tried.length === 0) continue;
    for (const other of stepsBeside(turn, address))
      if (other.seat === step.seat && !gone.has(other.address) && isOver(other) && toSeatNumber(other.tried) < toSeatNumber(step.tried))
        turn.changeStep(other.address, { tried: [] });
  }
}

/** Of the last action: numbers of actions only grow. */
function toSeatNumber(tried: Step['tried']): number {
  return Number(tried.at(-1)?.split('.').at(-1) ?? 0);
}

/** The workers of its role that other steps need. */
function takenBeside(turn: Turn, address: string): ReadonlySet<number | null> {
  return new Set(
    stepsBeside(turn, address)
      .filter((step) => needsItsWorker(turn, step))
      .map(({ seat }) => seat),
  );
}

/** The other steps of its role that have a worker. */
function stepsBeside(turn: Turn, address: string): readonly Step[] {
  const role = roleAt(turn.stage(address));
  return Object.values(turn.run.steps).filter(
    (step) => step.seat !== null && step.address !== address && roleAt(turn.stage(step.address)) === role,
  );
}

/** A step in motion needs its worker, and so does one that a later review or landing can send back, or that waits for a correction. */
export function needsItsWorker(turn: Turn, step: Step): boolean {
  if (step.state.kind === 'waiting') return step.seat !== null;
  if (!isOver(step)) return true;
  return step.state.kind === 'done' && isStillJudged(turn, step.address);
}

function isStillJudged(turn: Turn, producer: string): boolean {
  return listSiblings(turn.run, producer).some(
    (stage) => (stage.kind === 'review' || stage.kind === 'land') && stage.of === producer && !isOver(turn.step(stage.id)),
  );
}
