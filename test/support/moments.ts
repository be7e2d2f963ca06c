import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for random moments, each at most `longestMs` after the call, which the seed determines. */
export function moments(seed: number, longestMs: number): () => Promise<void> {
  const next = dice(seed);
  return async () => await sleep(next() * longestMs);
}

/** Numbers below one that a seed determines (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  };
}
