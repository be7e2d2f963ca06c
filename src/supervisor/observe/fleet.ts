import type { Trouble } from '../../store/attention.ts';
import type { Watch } from './watch.ts';
import type { Unwritable } from './write-watch.ts';

/** The workers of a running supervisor, for every module that asks about them. */
export interface Fleet {
  watchOf(name: string): Watch | undefined;
  /** The failure of a worker in the last pass. */
  troubleOf(name: string): Trouble | undefined;
  /** Set while the root cannot be written. */
  readonly unwritable: Unwritable | undefined;
  /** Makes this worker, or every worker, due now. */
  wake(name?: string): void;
  /** Looks for the worker's session again, as at the start of the supervisor. */
  adopt(name: string): void;
}
