/** Whether somebody in line would take this worker. */
export type Wants = (worker: string) => boolean;

interface Place extends Disposable {
  /** Wanted here, and by nobody who came earlier. */
  mayTake(worker: string): boolean;
}

/** Those who wait for an idle worker, in the order they came. Who waits for one worker only is in nobody's way for the others. */
export class StartQueue {
  #places: { readonly wants: Wants }[] = [];
  #named: { readonly worker: string }[] = [];

  /** Marks a worker as wanted by name, from the request on until it is disposed: a start that takes any worker picks another one. */
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
