/** Workers that starts have named which are on their way. A start without a name then picks another worker. */
export class NamedWorkers {
  #named: { readonly worker: string }[] = [];

  /** Marks a worker as requested by name until disposed. */
  name(worker: string): Disposable {
    const own = { worker };
    this.#named.push(own);
    return {
      [Symbol.dispose]: () => {
        this.#named = this.#named.filter((one) => one !== own);
      },
    };
  }

  names(): readonly string[] {
    return this.#named.map(({ worker }) => worker);
  }

  isNamed(worker: string): boolean {
    return this.#named.some((one) => one.worker === worker);
  }
}
