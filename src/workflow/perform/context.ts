import type { FaultPoint } from '../../base/fault.ts';
import type { Clock } from '../../base/ports.ts';
import type { AboutAction, What } from '../model/event.ts';
import type { Artifacts } from './artifacts.ts';
import type { Exchange } from './exchange.ts';
import type { RunGit } from './run-git.ts';
import type { RunWorkers } from './run-workers.ts';

/** The effects of performing. */
export interface PerformContext {
  readonly workers: RunWorkers;
  readonly exchange: Exchange;
  readonly artifacts: Artifacts;
  readonly git: RunGit;
  readonly clock: Pick<Clock, 'now'>;
  /** Waited for, so that a test can stop here for ever. */
  readonly fault: (point: FaultPoint) => void | Promise<void>;
}

/** One performance of an action. */
export interface Performing {
  /** Ends it: nothing waits for its answer any more, or the process ends. */
  readonly signal: AbortSignal;
  /** Stores something that happens before the answer. */
  readonly report: (what: AboutAction) => Promise<void>;
  /** Stores something else that happened. Under one key, once. */
  readonly post: (key: string, what: What) => Promise<void>;
}

/** The event that answers the action; null if another event answers it later, or none does. */
export type Performed = AboutAction | null;
