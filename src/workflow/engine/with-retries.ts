import type { Instant } from '../../base/ports.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { RetryOperation } from '../../recovery/retry/retry.ts';
import { type Retried, valueOrThrow, withRetry } from '../../recovery/retry/with-retry.ts';
import type { RunWorkers } from '../perform/run-workers.ts';
import type { Claim, RetryOutcome, RunStore, TaskQueue } from '../store/ports.ts';
import type { EnginePorts } from './ports.ts';

interface Stored {
  readonly runs: RunStore;
  readonly queue: TaskQueue;
}

type Means = Pick<EnginePorts, 'policy' | 'clock' | 'random'>;

/** What an operation is about: its attempts are stored with the run. */
interface About {
  readonly run: string;
  readonly step: string | null;
  readonly operation: string;
  readonly key: string;
}

/**
 * The same ports, with their database tried again after a failure that may pass. Each of these calls happens whole or not at all, and
 * once under its id.
 */
export function withRetries({ runs, queue }: Stored, means: Means): Stored {
  const write = <T>(operation: string, work: () => Promise<T>, run?: string) => {
    const about = (at: Instant): About | undefined =>
      run === undefined ? undefined : { run, step: null, operation, key: `${operation}:${at}` };
    return attempting({ ...means, runs }, { kind: 'databaseWrite', operation, about }, work);
  };
  return {
    runs: {
      create: (run, first) => write('create a run', () => runs.create(run, first), run.id),
      load: (id) => write('load a run', () => runs.load(id), id),
      list: () => write('list runs', () => runs.list()),
      post: (run, event) => write('post an event', () => runs.post(run, event), run),
      undecided: () => write('read events', () => runs.undecided()),
      commit: (commit) => write('commit a decision', () => runs.commit(commit), commit.decision.run.id),
      note: (run, text, at, step) => write('add to the history', () => runs.note(run, text, at, step), run),
      retried: (run, key, failed, outcome) => runs.retried(run, key, failed, outcome),
      providers: () => write('read breakers', () => runs.providers()),
      due: (now) => write('read due runs', () => runs.due(now)),
      nextDue: () => write('read due runs', () => runs.nextDue()),
    },
    queue: {
      claimable: (now) => write('read tasks', () => queue.claimable(now)),
      nextAt: (now) => write('read tasks', () => queue.nextAt(now)),
      takeBack: (host) => write('take back tasks', () => queue.takeBack(host)),
      claim: (wanted) => write('claim tasks', () => queue.claim(wanted)),
      heartbeat: (claim, until) => write('keep a task', () => queue.heartbeat(claim, until), claim.run),
      settle: (claim) => write('settle a task', () => queue.settle(claim), claim.run),
      release: (claim, runAt) => write('release a task', () => queue.release(claim, runAt), claim.run),
    },
  };
}

/** The workers of one performance, with their messages tried again until the signal: a person may end the run in the middle of a wait. */
export function withMessageRetries(
  workers: RunWorkers,
  means: Means & Pick<EnginePorts, 'runs'>,
  { run, action, attempt }: Claim,
  signal: AbortSignal,
): RunWorkers {
  const send = <T>(operation: string, work: () => Promise<T>) => {
    const about = { run, step: action.step, operation, key: `${action.id}:${attempt}` };
    return attempting(means, { kind: 'messageSend', operation, about: () => about }, work, signal);
  };
  const retried: Pick<RunWorkers, 'followUp' | 'deliver'> = {
    followUp: (message) => send('tell an agent', () => workers.followUp(message)),
    deliver: (message) => send('deliver a message', () => workers.deliver(message)),
  };
  // The others are those of the port, whatever it is made of.
  return new Proxy(workers, {
    get: (target, name) => (Object.hasOwn(retried, name) ? Reflect.get(retried, name) : Reflect.get(target, name, target)),
  });
}

interface Operation {
  readonly kind: RetryOperation;
  readonly operation: string;
  readonly about: (at: Instant) => About | undefined;
}

/** The settings are read only after a first failure: almost every call succeeds. */
async function attempting<T>(
  { policy, clock, random, runs }: Means & Pick<EnginePorts, 'runs'>,
  { kind, operation, about }: Operation,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const settings = (await policy()).retry[kind];
    const known = about(clock.now());
    const record = async (failed: readonly FailedTry[], outcome: RetryOutcome | null): Promise<void> => {
      if (known === undefined) return;
      const { run, key, ...rest } = known;
      const retries = failed.map(({ error, delayMs }) => ({ ...rest, attempt: error.retries + 1, at: error.at, delayMs, error }));
      // The database may be what fails: then all of them are stored at the end.
      await runs.retried(run, key, retries, outcome).catch(() => undefined);
    };
    const failed: FailedTry[] = [];
    const again = async ({ attempt }: { readonly attempt: number }) => {
      if (attempt === 1) throw thrown;
      // What is to be tried is on disk before it is.
      await record(failed, null);
      return await work();
    };
    const id = () => `${known?.key ?? operation}:${failed.length + 1}`;
    const onRetry = (error: ErrorRecord, delayMs: number) => void failed.push({ error, delayMs });
    const retried = await withRetry(again, { operation, settings, clock, random: { ...random, id }, onRetry }, signal);
    if (retried.attempts > 1 || failed.length > 0) await record([...failed, ...listLastTries(retried, failed)], OUTCOME[retried.kind]);
    return valueOrThrow(retried);
  }
}

interface FailedTry {
  readonly error: ErrorRecord;
  /** Null: it was the last. */
  readonly delayMs: number | null;
}

/** The attempt that nothing follows. */
function listLastTries({ errors }: Pick<Retried<unknown>, 'errors'>, before: readonly FailedTry[]): readonly FailedTry[] {
  return errors.slice(before.length).map((error) => ({ error, delayMs: null }));
}

const OUTCOME = { done: 'succeeded', failed: 'failed', cancelled: 'cancelled' } as const satisfies Record<string, RetryOutcome>;
