import type { Repair } from '../../recovery/records/repair-step.ts';

/** The question below the repairs of a finding. */
export const CHOICES = 'Numbers, "all", "safe" (here and below: what ends and removes nothing), or Enter to leave it:';

/** What a person typed below a finding, as indexes, and whether it holds for the findings below, too; undefined if it is none of the choices. */
export function parseChoice(
  typed: string,
  repairs: readonly Repair[],
): { readonly chosen: ReadonlySet<number>; readonly below: boolean } | undefined {
  const text = typed.trim().toLowerCase();
  if (text === '' || text === 'none') return { chosen: new Set(), below: false };
  const all = [...repairs.keys()];
  const repairing = all.filter((index) => repairs[index]?.step.kind !== 'edit');
  if (text === 'all') return { chosen: new Set(repairing), below: false };
  if (text === 'safe') return { chosen: new Set(all.filter((index) => repairs[index]?.safe)), below: true };
  const chosen = text.split(/[\s,]+/).map((word) => (/^\d+$/.test(word) ? Number(word) - 1 : -1));
  return chosen.every((index) => all.includes(index)) ? { chosen: new Set(chosen), below: false } : undefined;
}
