import { messageOf } from '../base/error.ts';

/** How a supervisor ends: who asked, how urgently, and which workers it stopped. */
export class Stopping {
  readonly #abort = new AbortController();
  readonly #stopped = Promise.withResolvers<readonly string[]>();
  readonly #forced = new AbortController();
  #why: string | undefined;

  /** `stop` ends the supervisor gracefully, `stopNow` at once. */
  constructor(signals: { readonly stop: AbortSignal; readonly stopNow: AbortSignal }, say: (line: string) => void) {
    onAbort(signals.stop, () => this.begin());
    onAbort(signals.stopNow, () => this.begin({ force: true }));
    // After Ctrl+C no caller waits for the answer.
    this.#stopped.promise.catch((error: unknown) => say(`Stopping: ${messageOf(error)}`));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get why(): string | undefined {
    return this.#why;
  }

  get forced(): AbortSignal {
    return this.#forced.signal;
  }

  readonly isForced = (): boolean => this.forced.aborted;

  begin(how: { readonly force?: boolean; readonly why?: string | undefined } = {}): void {
    if (how.force === true) this.#forced.abort();
    this.#why ??= how.why;
    this.#abort.abort();
  }

  /** Ends the supervisor and everything it runs; resolves with the workers it stopped. */
  readonly stop = async (force: boolean): Promise<readonly string[]> => {
    this.begin({ force });
    return await this.#stopped.promise;
  };

  settle(ended: PromiseSettledResult<readonly string[]>): void {
    if (ended.status === 'fulfilled') this.#stopped.resolve(ended.value);
    else this.#stopped.reject(ended.reason);
  }
}

/** Acts also when the signal is aborted already: Ctrl+C may come before the supervisor has its lock. */
function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}
