import type { ForEachStage } from '../../definition/plan.ts';
import type { Turn } from '../turn.ts';

/** The items go on, with the whole time of the stage. */
export function openItems(turn: Turn, { id, timeoutMs }: ForEachStage): void {
  const deadline = timeoutMs === undefined ? null : { at: turn.at + timeoutMs, leftMs: null };
  turn.changeStep(id, { state: { kind: 'under_way', deadline } });
}
