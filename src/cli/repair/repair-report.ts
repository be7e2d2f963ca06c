import type { OfferedRepair } from '../../doctor/repair-rounds.ts';

export interface RepairReport extends OfferedRepair {
  /** `left`: nobody chose it. `unneeded`: nothing was broken any more. */
  readonly outcome: 'planned' | 'left' | 'repaired' | 'unneeded' | 'failed';
  /** What was done, or why it could not be. */
  readonly lines: readonly string[];
}
