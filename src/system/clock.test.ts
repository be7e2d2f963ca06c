import { expect, test } from 'vitest';
import { systemClock, systemScheduler } from './clock.ts';

// Under another name: a test of the clock is the one that has to pass time.
const { now, sleep: pass } = systemClock;

test('a sleep ends by itself, or at once when it is cut short', async () => {
  const began = now();
  await pass(20);
  // Timers may fire a millisecond early by the clock on the wall.
  expect(now() - began).toBeGreaterThanOrEqual(19);
  const stop = new AbortController();
  const sleeping = pass(600_000, stop.signal);
  stop.abort();
  await expect(sleeping).rejects.toThrow(/abort/i);
  await expect(pass(600_000, stop.signal)).rejects.toThrow(/abort/i);
});

test('scheduled work runs soon, after the caller has gone on', async () => {
  const order: string[] = [];
  const ran = new Promise<void>((resolve) => systemScheduler.soon(() => resolve(void order.push('scheduled'))));
  order.push('caller');
  await ran;
  expect(order).toEqual(['caller', 'scheduled']);
});
