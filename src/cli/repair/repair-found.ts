import { failureLines } from '../../base/error.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import { askLine } from '../../system/lines.ts';
import type { Repaired } from '../../workers/repair/repair-root.ts';
import type { Shell } from '../shell.ts';
import { planLine } from '../text/doctor-text.ts';
import { CHOICES, parseChoice } from './choose-repairs.ts';
import type { RepairReport } from './repair-report.ts';

/** Lets the person choose among the repairs that the checks offer, and has the owner of the root perform them. */
export async function repairFound(shell: Shell, repairs: readonly Repair[], dryRun: boolean): Promise<readonly RepairReport[]> {
  if (dryRun) return repairs.map((repair) => ({ ...repair, outcome: 'planned', lines: [] }));
  await (await import('../owner/inside-worker.ts')).refuseInsideWorker('doctor --repair', shell);
  const chosen = await choose(shell, repairs);
  const steps = repairs.filter((_, index) => chosen.has(index)).map(({ step }) => step);
  const done = steps.length === 0 ? [] : await perform(shell, steps);
  const results = done.values();
  return repairs.map((repair, index) => {
    const result = chosen.has(index) ? results.next().value : undefined;
    return { ...repair, outcome: result?.outcome ?? 'left', lines: result?.lines ?? [] };
  });
}

/** A root that cannot be opened at all fails every step in the same way. */
async function perform(shell: Shell, steps: readonly Repair['step'][]): Promise<readonly Repaired[]> {
  try {
    return await shell.call('repair', { steps: [...steps] });
  } catch (error) {
    return steps.map((step) => ({ step, outcome: 'failed', lines: failureLines(error) }));
  }
}

async function choose(shell: Shell, repairs: readonly Repair[]): Promise<ReadonlySet<number>> {
  if (shell.options.yes) return new Set(repairs.keys());
  if (!shell.isInteractive) return new Set([...repairs.keys()].filter((index) => repairs[index]?.safe));
  for (const [index, repair] of repairs.entries()) shell.say(`${index + 1}. ${planLine(repair)}`);
  for (;;) {
    const chosen = parseChoice(await askLine(`${CHOICES} `), repairs);
    if (chosen !== undefined) return chosen;
  }
}
