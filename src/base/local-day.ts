import type { Instant } from './ports.ts';

/** The local date of this machine, such as `2026-11-15`. */
export function localDay(at: Instant): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
