import { describeError } from '../base/error.ts';

/** Who takes the place of a supervisor: the process that asked, or the service that starts it again. */
export interface Heir {
  readonly pid: number;
  readonly version: string;
  readonly service?: boolean | undefined;
}

/** How a supervisor ends: who asked, how urgently, and which workers it stopped. */
export class Stopping {
  readonly #abort = new AbortController();
  readonly #stopped = Promise.withResolvers<readonly string[]>();
  readonly #forced = new AbortController();
  #why: string | undefined;
  #heir: Heir | undefined;
  #again = false;

  /** `stop` ends the supervisor gracefully, `stopNow` at once. */
  constructor(signals: { readonly stop: AbortSignal; readonly stopNow: AbortSignal }, say: (line: string) => void) {
    onAbort(signals.stop, () => this.#stopAgents());
    onAbort(signals.stopNow, () => this.#stopAgents({ force: true }));
    // After Ctrl+C no caller waits for the answer.
    this.#stopped.promise.catch((error: unknown) => say(`Stopping: ${describeError(error)}`));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get why(): string | undefined {
    return this.#why;
  }

  /** Who supervises the agents from now on; undefined if they are to be stopped. */
  get heir(): Heir | undefined {
    return this.#heir;
  }

  get forced(): AbortSignal {
    return this.#forced.signal;
  }

  readonly isForced = (): boolean => this.forced.aborted;

  /** Whether the service of this supervisor has to start it again. */
  get isTemporary(): boolean {
    return this.#again || this.#heir?.service === true;
  }

  begin(how: { readonly force?: boolean; readonly why?: string; readonly again?: boolean } = {}): void {
    if (how.force === true) this.#forced.abort();
    this.#why ??= how.why;
    if (!this.signal.aborted) this.#again = how.again === true;
    this.#abort.abort();
  }

  /** Ends the supervisor and everything it runs; resolves with the workers it stopped. */
  readonly stop = async (force: boolean): Promise<readonly string[]> => {
    this.#stopAgents({ force });
    return await this.#stopped.promise;
  };

  /** Ends the supervisor and leaves its agents running. A command that stops the agents wins, before or after this one. */
  readonly handOver = async (heir: Heir): Promise<readonly string[]> => {
    if (!this.signal.aborted) this.#heir = heir;
    this.begin();
    return await this.#stopped.promise;
  };

  #stopAgents(how: { readonly force?: boolean } = {}): void {
    this.#heir = undefined;
    this.begin(how);
  }

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
