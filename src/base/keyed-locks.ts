/** Lets one task at a time through per key, in the order they asked. */
export class KeyedLocks {
  readonly #tails = new Map<string, Promise<void>>();

  isLocked(key: string): boolean {
    return this.#tails.has(key);
  }

  async withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const turn = Promise.withResolvers<void>();
    const tail = before.then(() => turn.promise);
    this.#tails.set(key, tail);
    await before;
    try {
      return await work();
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
      turn.resolve();
    }
  }
}
