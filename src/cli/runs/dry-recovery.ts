import { visibleLine } from '../../base/visible-text.ts';
import { openWithoutTrace } from '../../store/database.ts';
import { systemClock } from '../../system/clock.ts';
import { dryRecovery, type RecoverRequest, type Recovery } from '../../workflow/recover/recover-run.ts';
import type { Shell } from '../shell.ts';
import { openRuns } from './open-runs.ts';
import { notYetTaken } from './text/taken-text.ts';

/** Reads from disk only, with or without a supervisor, and leaves no file behind. */
export async function readRecovery({ layout }: Pick<Shell, 'layout'>, request: RecoverRequest): Promise<Recovery> {
  using opened = openRuns(layout, openWithoutTrace);
  return await dryRecovery(opened, systemClock, request);
}

export function recoveryText({ run, outcome, steps }: Recovery): string {
  const lines = steps.flatMap(({ step, lines: said }) => [step, ...said.map((line) => `   ${visibleLine(line)}`)]);
  return [...lines, ...endings(run)[outcome]].join('\n');
}

const endings = (run: string): Readonly<Record<Recovery['outcome'], readonly string[]>> => ({
  planned: ['Nothing was changed.'],
  recorded: [notYetTaken(`The recovery of ${run}`)],
  recovered: [],
});
