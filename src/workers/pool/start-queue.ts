/** Whether somebody in line would take this worker. */
export type Wants = (worker: string) => boolean;

interface Place extends Disposable {
  /** Wanted here, and by nobody who came earlier. */
  mayTake(worker: string): boolean;
}

/** Those who wait for an idle worker, in the order they came. Who waits for one worker only is in nobody's way for the others. */
export class StartQueue {
  #places: { readonly wants: Wants }[] = [];

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
