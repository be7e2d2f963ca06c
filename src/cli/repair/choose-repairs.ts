import type { Repair } from '../../recovery/records/repair-step.ts';

/** The question below the menu. */
export const CHOICES = 'Numbers, "safe", "all", or Enter for none:';

/** What a person typed below the menu, as indexes; undefined if it is none of the choices. */
export function parseChoice(typed: string, repairs: readonly Repair[]): ReadonlySet<number> | undefined {
  const text = typed.trim().toLowerCase();
  const all = repairs.map((_, index) => index);
  if (text === '' || text === 'none') return new Set();
  if (text === 'all') return new Set(all);
  if (text === 'safe') return new Set(all.filter((index) => repairs[index]?.safe));
  const chosen = text.split(/[\s,]+/).map((word) => (/^\d+$/.test(word) ? Number(word) - 1 : -1));
  return chosen.every((index) => all.includes(index)) ? new Set(chosen) : undefined;
}
