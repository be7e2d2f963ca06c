import { newStep } from '../model/new-step.ts';
import type { Turn } from './turn.ts';

/** Gives every stage its step. A run that has begun already stays as it is. */
export function begin(turn: Turn): void {
  if (Object.keys(turn.run.steps).length > 0) return;
  turn.change({ steps: Object.fromEntries(turn.run.plan.stages.map(({ id }) => [id, newStep(id)])) });
  turn.record({ kind: 'checkpoint', type: 'session_start', note: '' });
}
