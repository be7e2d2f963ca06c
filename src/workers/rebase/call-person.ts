import { type Resolution, updateResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { endTurn } from './ask-agent.ts';

export interface PersonCall {
  readonly reason: NonNullable<Resolution['called']>;
  readonly stop?: string;
  readonly why: string;
}

/** Calls a person once. The worker stays in its rebase, and goes on when something changes or a person says how. */
export function callPerson({ store, clock }: WorkContext, row: Resolution, { reason, stop, why }: PersonCall): void {
  store.changeWorker(row.worker, {
    kind: 'rebase',
    summary: `a person is called: ${why}`,
    change: (worker) => {
      worker.attention = { kind: 'resolution_stuck', why: reason, files: worker.conflicted_files };
    },
    rows: (database) => {
      // A stuck agent is still in its turn.
      if (reason !== 'stuck') endTurn(database, row.worker, clock.now());
      updateResolution(database, row.id, { called: reason, ...(stop !== undefined && { stop }) });
    },
  });
}
