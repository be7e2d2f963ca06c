import { isOver } from '../../model/run.ts';
import { nameSeat } from '../seat.ts';
import type { Turn } from '../turn.ts';

/** Stops the agent of a step. `keeps`: what it had left of work that is not finished is kept as partial. */
export function halt(turn: Turn, address: string, keeps = true): void {
  const step = turn.step(address);
  turn.perform(address, {
    kind: 'halt',
    seat: nameSeat(turn, address),
    attempt: step.attempt,
    tried: isOver(step) ? [] : step.tried,
    stored: Object.fromEntries(Object.entries(step.result?.artifacts ?? {}).map(([path, { sha256 }]) => [path, sha256])),
    ...(!keeps && { keeps: false }),
  });
}
