/** A reader that is further behind than this gets only the last ones. */
const MOST_WAITING = 4;

/**
 * The items of a producer, for a reader that may be slow, such as a view that is suspended: an item replaces one of the same kind
 * that still waits. Runs the producer until it ends or the reader leaves.
 */
export async function* newest<T extends { readonly kind: string }>(
  produce: (post: (item: T) => void, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const left = new AbortController();
  const waiting: T[] = [];
  let wake = Promise.withResolvers<void>();
  const post = (item: T) => {
    if (waiting.at(-1)?.kind === item.kind) waiting.pop();
    waiting.push(item);
    waiting.splice(0, waiting.length - MOST_WAITING);
    wake.resolve();
  };
  let hasEnded = false;
  const producing = produce(post, AbortSignal.any([signal, left.signal])).finally(() => {
    hasEnded = true;
    wake.resolve();
  });
  // Its failure is thrown to the reader below, after what was posted before it.
  producing.catch(() => undefined);
  try {
    for (;;) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
      if (hasEnded) return await producing;
      await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    left.abort();
  }
}
