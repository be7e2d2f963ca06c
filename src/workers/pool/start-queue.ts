/** Whether a request in the queue would take this worker. */
export type Wants = (worker: string) => boolean;

interface Place extends Disposable {
  /** Whether this request wants the worker and no earlier one does. */
  mayTake(worker: string): boolean;
}

/** Requests that wait for an idle worker, oldest first. A request for one worker does not block requests for others. */
export class StartQueue {
  #places: { readonly wants: Wants }[] = [];
  #named: { readonly worker: string }[] = [];

  /** Marks a worker as requested by name until disposed. A start without a name then picks another worker. */
  name(worker: string): Disposable {
    const own = { worker };
    this.#named.push(own);
    return {
      [Symbol.dispose]: () => {
        this.#named = this.#named.filter((one) => one !== own);
      },
    };
  }

  isNamed(worker: string): boolean {
    return this.#named.some((one) => one.worker === worker);
  }

  join(wants: Wants): Place {
    const own = { wants };
    this.#places.push(own);
    return {
      mayTake: (worker) => wants(worker) && !this.#places.slice(0, this.#places.indexOf(own)).some((earlier) => earlier.wants(worker)),
      [Symbol.dispose]: () => {
        this.#places = this.#places.filter((place) => place !== own);
      },
    };
  }
}
