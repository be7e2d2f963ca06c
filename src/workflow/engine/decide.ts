import type { RunEvent } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { next } from '../next/next.ts';
import { wakeAt } from '../next/time/wake-at.ts';
import type { Decision } from '../next/turn.ts';
import type { EnginePolicy, EnginePorts } from './ports.ts';

/** After this many events of one run in a row, the others have their turn, and tasks are claimed. */
const MOST_IN_A_ROW = 100;

interface DecidedAll {
  /** The runs whose events cannot be decided on, and why. */
  readonly broken: ReadonlyMap<string, unknown>;
  /** Whether events are left for the next pass. */
  readonly hasMore: boolean;
}

type DecidePorts = Pick<EnginePorts, 'runs' | 'fault' | 'policy' | 'announce'> & { readonly clock: Pick<EnginePorts['clock'], 'now'> };

/** Decides on every event that waits, one commit per event. */
export async function decideAll(ports: DecidePorts, skipped: ReadonlySet<string>): Promise<DecidedAll> {
  const broken = new Map<string, unknown>();
  const policy = await ports.policy();
  for (let round = 0; round < MOST_IN_A_ROW; round += 1) {
    const pending = (await ports.runs.undecided()).filter(({ run }) => !broken.has(run) && !skipped.has(run));
    if (pending.length === 0) return { broken, hasMore: false };
    for (const one of pending) {
      const decided = 'error' in one ? one : await decide(ports, one.run, one.event, policy);
      if ('error' in decided) broken.set(one.run, decided.error);
      else await commit(ports, decided, policy);
    }
  }
  return { broken, hasMore: true };
}

interface Decided {
  readonly run: Run;
  readonly event: RunEvent;
  readonly decision: Decision;
}

async function decide(
  { runs }: DecidePorts,
  id: string,
  event: RunEvent,
  policy: EnginePolicy,
): Promise<Decided | { readonly error: unknown }> {
  try {
    const run = await runs.load(id);
    if (run === undefined) return { error: new Error(`there is no run ${id}`) };
    // Read for each decision: the one before it may have the one try.
    const providers = policy.providers && { ...policy.providers, states: await runs.providers() };
    return { run, event, decision: next(run, event, { ...policy, ...(providers && { providers }) }) };
  } catch (error) {
    // A disk that cannot be read is not the fault of the run.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') throw error;
    return { error };
  }
}

async function commit(
  { runs, clock, fault, announce }: DecidePorts,
  { run, event, decision }: Decided,
  policy: EnginePolicy,
): Promise<void> {
  const at = clock.now();
  await fault('run:before-commit');
  // False: a command changed the run meanwhile. Its event is still there, and the next round decides on the run as it is then.
  const committed = await runs.commit({
    version: run.version,
    event: event.key,
    decision,
    wakeAt: wakeAt(decision.run, policy, event.at),
    at,
    keepCheckpoints: policy.keepCheckpoints,
  });
  await fault('run:after-commit');
  if (committed) announce(run, decision.run);
}
