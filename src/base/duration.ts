import { LlmcError } from './error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `90s`, `5m`, `1h30m`, `250ms`; a bare number means seconds. Returns whole milliseconds, because timers accept only those (0.57 h is 2051999.9999999998). */
export function parseDuration(text: string): number {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1_000);
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(trimmed)) {
    throw new LlmcError('INVALID_ARGUMENT', `"${text}" is not a duration`, { hint: 'Write it like 90s, 5m or 1h30m.' });
  }
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return Math.round(total);
}

/** Formats a duration for people with one unit: `12s`, `5m`, `3h`, `2d`. */
export function formatAge(ms: number): string {
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ];
  for (const [unit, size] of units) if (ms >= size) return `${Math.floor(ms / size)}${unit}`;
  return `${Math.max(0, Math.floor(ms / 1_000))}s`;
}

/** Formats a duration with its two largest units: `12s`, `4m12s`, `2h14m`, `3d4h`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return twoUnits(seconds, 60, 'm', 1, 's');
  return seconds < 86_400 ? twoUnits(seconds, 3_600, 'h', 60, 'm') : twoUnits(seconds, 86_400, 'd', 3_600, 'h');
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
