import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Scheduler } from '../base/ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};

export const systemScheduler: Scheduler = { soon: (work) => void setImmediate(work) };
