import type { RetryOperation } from '../../recovery/retry/retry.ts';
import { valueOrThrow, withRetry } from '../../recovery/retry/with-retry.ts';
import type { RunWorkers } from '../perform/run-workers.ts';
import type { RunStore, TaskQueue } from '../store/ports.ts';
import type { EnginePorts } from './ports.ts';

interface Retried {
  readonly runs: RunStore;
  readonly queue: TaskQueue;
  readonly messages: Pick<RunWorkers, 'followUp' | 'deliver'>;
}

type Means = Pick<EnginePorts, 'policy' | 'clock' | 'random'>;
type Attempting = <T>(operation: string, work: () => Promise<T>) => Promise<T>;

/**
 * The same ports, with their database and their messages tried again after a failure that may pass. Each of these calls happens whole or
 * not at all, and once under its id.
 */
export function withRetries({ runs, queue, messages }: Retried, means: Means): Retried {
  const write = attempting(means, 'databaseWrite');
  const send = attempting(means, 'messageSend');
  return {
    runs: {
      create: (run, first) => write('create a run', () => runs.create(run, first)),
      load: (id) => write('load a run', () => runs.load(id)),
      list: () => write('list runs', () => runs.list()),
      post: (run, event) => write('post an event', () => runs.post(run, event)),
      undecided: () => write('read events', () => runs.undecided()),
      commit: (commit) => write('commit a decision', () => runs.commit(commit)),
      note: (run, text, at, step) => write('add to the history', () => runs.note(run, text, at, step)),
      providers: () => write('read breakers', () => runs.providers()),
      due: (now) => write('read due runs', () => runs.due(now)),
      nextDue: () => write('read due runs', () => runs.nextDue()),
    },
    queue: {
      claimable: (now) => write('read tasks', () => queue.claimable(now)),
      nextAt: (now) => write('read tasks', () => queue.nextAt(now)),
      takeBack: (host) => write('take back tasks', () => queue.takeBack(host)),
      claim: (wanted) => write('claim tasks', () => queue.claim(wanted)),
      heartbeat: (claim, until) => write('keep a task', () => queue.heartbeat(claim, until)),
      settle: (claim) => write('settle a task', () => queue.settle(claim)),
      release: (claim, runAt) => write('release a task', () => queue.release(claim, runAt)),
    },
    messages: {
      followUp: (message) => send('tell an agent', () => messages.followUp(message)),
      deliver: (message) => send('deliver a message', () => messages.deliver(message)),
    },
  };
}

/** The settings are read only after a first failure: almost every call succeeds. */
function attempting({ policy, clock, random }: Means, kind: RetryOperation): Attempting {
  return async (operation, work) => {
    try {
      return await work();
    } catch (thrown) {
      const settings = (await policy()).retry[kind];
      const again = ({ attempt }: { readonly attempt: number }) => (attempt === 1 ? Promise.reject(thrown) : work());
      return valueOrThrow(await withRetry(again, { operation, settings, clock, random: { ...random, id: () => operation } }));
    }
  };
}
