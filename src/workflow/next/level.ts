import { type DegradationLevel, degradationLevel, type RoleView } from '../../recovery/degradation.ts';
import { isOver } from '../model/run.ts';
import { roleAt } from './seat.ts';
import type { Turn } from './turn.ts';

/** How much of the run is left. A run that goes on without something is never at the level `full`. */
export function judgeLevel(turn: Turn): DegradationLevel {
  const { steps, plan, losses } = turn.run;
  // A run of an older llmc has stages that were left out without a word about what is missing.
  const skipped = Object.values(steps).filter(({ state, marks }) => state.kind === 'skipped' && marks.length > 0);
  return degradationLevel(
    Object.keys(plan.roles).map((role) => roleView(turn, role)),
    Math.max(skipped.length, losses.length),
  );
}

export function roleView(turn: Turn, name: string): RoleView {
  const { unavailable } = turn.role(name);
  const remainingStages = Object.values(turn.run.steps)
    .filter((step) => roleAt(turn.stage(step.address)) === name && !isOver(step))
    .map(({ address }) => address);
  return {
    name,
    optional: whenUnavailable(turn, name) === 'skip',
    unavailable,
    remainingStages,
    whenUnavailable: whenUnavailable(turn, name),
  };
}

/** What follows when no agent can work in a role: the workflow file over the configuration. */
export function whenUnavailable({ run, policy }: Pick<Turn, 'run' | 'policy'>, role: string): 'ask' | 'skip' | 'stop' {
  return run.plan.roles[role]?.whenUnavailable ?? (policy.continueWithout.includes(role) ? 'skip' : 'ask');
}
