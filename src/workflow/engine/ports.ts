import type { Clock, Instant, Random } from '../../base/ports.ts';
import type { Run } from '../model/run.ts';
import type { RunPolicy } from '../next/turn.ts';
import type { PerformContext } from '../perform/context.ts';
import type { RunStore, TaskQueue } from '../store/ports.ts';

/** Everything that the engine reaches outside itself. */
export interface EnginePorts extends PerformContext {
  readonly runs: RunStore;
  readonly queue: TaskQueue;
  readonly clock: Clock;
  readonly random: Pick<Random, 'next'>;
  /** The last sign of life of an earlier process; undefined if there was none. */
  readonly lastAlive: Instant | undefined;
  readonly policy: () => Promise<EnginePolicy>;
  /** Called after each decision, for what a person should hear of. */
  readonly announce: (before: Run, after: Run) => void;
  /** One line for the person at the supervisor. */
  readonly say: (line: string) => void;
}

export interface EnginePolicy extends RunPolicy {
  /** How many agents of runs may live at a time. */
  readonly maxAgents: number;
}
