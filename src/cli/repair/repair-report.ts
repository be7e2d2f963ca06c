import type { Repair } from '../../recovery/records/repair-step.ts';

export interface RepairReport extends Repair {
  /** `left`: nobody chose it. `unneeded`: nothing was broken any more. */
  readonly outcome: 'planned' | 'left' | 'repaired' | 'unneeded' | 'failed';
  /** What was done, or why it could not be. */
  readonly lines: readonly string[];
}
