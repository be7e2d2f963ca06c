import { isDeepStrictEqual } from 'node:util';
import { describeError, LlmcError } from '../base/error.ts';
import { sentence } from '../base/sentence.ts';
import type { Trouble } from '../store/attention.ts';
import type { WorkContext } from '../workers/context.ts';
import { standing } from '../workers/status/transitions.ts';

/** The failure of each worker in its last pass. The same failure is recorded once, not once per pass. */
export class Troubles {
  readonly #context: Pick<WorkContext, 'store' | 'say'>;
  readonly #troubles = new Map<string, Trouble>();

  constructor(context: Pick<WorkContext, 'store' | 'say'>) {
    this.#context = context;
  }

  of(name: string): Trouble | undefined {
    return this.#troubles.get(name);
  }

  /** Without a name: the pass as a whole failed. */
  record(name: string | null, error: unknown): void {
    const key = name ?? '';
    const trouble = troubleFrom(error);
    if (isDeepStrictEqual(this.#troubles.get(key), trouble)) return;
    this.#troubles.set(key, trouble);
    const { store, say } = this.#context;
    const summary = describe(trouble);
    try {
      if (name === null) store.commit({ worker: null, kind: 'trouble', summary });
      else
        store.changeWorker(name, {
          kind: 'trouble',
          summary,
          change: (worker) => {
            // For a worker in another status the stored attention stays: the trouble covers it as long as it lasts.
            if (worker.status === 'offline' && standing(worker) === 'idle') worker.attention = trouble;
          },
        });
    } catch (reason) {
      say(`cannot record "${summary}": ${describeError(reason)}`);
    }
  }

  /** Records the end of a failure first: if that fails, the failure goes on and is not reported again. */
  clear(name: string | null): void {
    const key = name ?? '';
    const trouble = this.#troubles.get(key);
    if (trouble === undefined) return;
    this.#context.store.commit({ worker: name, kind: 'trouble', summary: `this problem no longer occurs: ${trouble.message}` });
    this.#troubles.delete(key);
  }
}

/** For the history, where no command to see more is needed. */
function describe({ message, hint }: Trouble): string {
  return hint === null ? message : `${sentence(message)} ${hint}`;
}

function troubleFrom(error: unknown): Trouble {
  return { kind: 'trouble', message: describeError(error), hint: error instanceof LlmcError ? (error.hint ?? null) : null };
}
