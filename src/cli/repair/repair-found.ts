import { failureLines } from '../../base/error.ts';
import type { CheckResult } from '../../doctor/check.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import { askLine } from '../../system/lines.ts';
import type { Repaired } from '../../workers/repair/repair-root.ts';
import type { Shell } from '../shell.ts';
import { planLine } from '../text/doctor-text.ts';
import { CHOICES, parseChoice } from './choose-repairs.ts';
import type { RepairReport } from './repair-report.ts';

/** Plans the repairs that the checks offer, lets the person choose, and has the owner of the root perform them. */
export async function repairFound(shell: Shell, found: readonly CheckResult[], dryRun: boolean): Promise<readonly RepairReport[]> {
  const repairs = distinct(found.flatMap(({ repairs: offered = [] }) => offered));
  if (dryRun) return repairs.map((repair) => ({ ...repair, outcome: 'planned', lines: [] }));
  if (repairs.length === 0) return [];
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

/** Two checks may ask for the same step. */
function distinct(repairs: readonly Repair[]): readonly Repair[] {
  const groups = Map.groupBy(repairs, ({ step }) => JSON.stringify(step));
  const joined = (texts: readonly string[], by: string) => [...new Set(texts)].join(by);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({
      ...first,
      title: joined(
        same.map(({ title }) => title),
        ', ',
      ),
      does: joined(
        same.map(({ does }) => does),
        '; ',
      ),
    })),
  );
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
