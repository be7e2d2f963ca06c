import { pastTime } from '../base/clock-time.ts';
import { formatAge } from '../base/duration.ts';
import type { Instant } from '../base/ports.ts';

/** `of 14:05 (12m old)`: a person decides by it whether to restore a copy. */
export const copyAge = (at: Instant, now: Instant): string => `of ${pastTime(at, now)} (${formatAge(now - at)} old)`;
