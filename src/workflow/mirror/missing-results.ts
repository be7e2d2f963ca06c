import { newStep } from '../model/new-step.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import type { Rebuilt } from './rebuild.ts';

/**
 * A state is valid only with the files that it names. A stage whose result is missing is done again when the run is recovered; a run that
 * had ended stays as it is, and says so.
 */
export function withoutMissing(
  rebuilt: Rebuilt,
  hasFile: (path: string) => boolean,
): { readonly checked: Rebuilt; readonly missing: readonly string[] } {
  const lost = Object.values(rebuilt.before.steps).filter((step) => listMissing(step, hasFile).length > 0);
  const missing = lost.flatMap((step) => listMissing(step, hasFile));
  if (missing.length === 0) return { checked: rebuilt, missing };
  const warning = `Results are missing: ${missing.join(', ')}.`;
  const { before, run } = rebuilt;
  const warned = (one: Run): Run => ({ ...one, warnings: [...one.warnings, warning] });
  if (hasEnded(before)) return { checked: { ...rebuilt, before: warned(before), run: warned(run) }, missing };
  const steps = (one: Run, state: Step['state']): Run => ({
    ...one,
    steps: {
      ...one.steps,
      ...Object.fromEntries(lost.map((step) => [step.address, { ...newStep(step.address), ...toKeptFields(step), state }])),
    },
  });
  return {
    checked: {
      ...rebuilt,
      before: warned(steps(before, { kind: 'waiting' })),
      run: warned(steps(run, { kind: 'skipped', why: 'its result is missing', cause: 'condition' })),
    },
    missing,
  };
}

function listMissing(step: Step, hasFile: (path: string) => boolean): readonly string[] {
  if (!isOver(step)) return [];
  return Object.values(step.result?.artifacts ?? {}).flatMap(({ path }) => (hasFile(path) ? [] : [path]));
}

/** Numbers of tries go on, so that an event of an earlier one is recognised. */
function toKeptFields({ attempt, item }: Step): Partial<Step> {
  return { attempt, item };
}
