import type { LandStage } from '../definition/plan.ts';
import type { Run } from '../model/run.ts';

/** Who lands the work of a stage. Nobody asked for main to get work whose checks failed or never ran, so a person decides about that. */
export function landedBy({ steps }: Pick<Run, 'steps'>, { of, by }: Pick<LandStage, 'of' | 'by'>): 'person' | 'run' {
  return (steps[of]?.marks.length ?? 0) > 0 ? 'person' : by;
}
