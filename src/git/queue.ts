export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** One at a time per key, in the order of asking; a failure does not hold up the next. */
export function queueByKey(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => last.get(key) === settled && last.delete(key));
    return mine;
  };
}
