import { archiveFolder, type Compensation } from '../../model/compensation.ts';
import type { Step } from '../../model/run.ts';
import type { Turn } from '../turn.ts';

type Undone = Pick<Compensation, 'stage' | 'reason' | 'action' | 'items' | 'notified' | 'landings'>;

/** Moves the results of steps into the archive, the newest first, and remembers it: only what happened is undone. */
export function archive(turn: Turn, undone: Undone, steps: readonly Step[]): void {
  const left = steps.filter(hasLeft).toSorted((one, other) => (other.endedMs ?? turn.at) - (one.endedMs ?? turn.at));
  const number = turn.run.compensations.length + 1;
  const archived = archiveFolder({ number, stage: undone.stage });
  const compensation = { ...undone, number, at: turn.at, archived, steps: left.map(({ address }) => address) };
  turn.change({ compensations: [...turn.run.compensations, compensation] });
  for (const { address, result } of left) {
    const files = Object.values(result?.artifacts ?? {}).map(({ path }) => path);
    turn.perform(address, { kind: 'archive', number, folder: archived, files, commit: result?.commit ?? null });
  }
}

function hasLeft({ result }: Step): boolean {
  return result !== null && (Object.keys(result.artifacts).length > 0 || result.commit !== null);
}
