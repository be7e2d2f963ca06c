import type { RunEvent } from '../../../src/workflow/model/event.ts';
import { isOver, type Run, type Step } from '../../../src/workflow/model/run.ts';
import { listItems, stageAt } from '../../../src/workflow/model/stage-at.ts';
import { next } from '../../../src/workflow/next/next.ts';
import type { RunPolicy } from '../../../src/workflow/next/turn.ts';
import { requirementHolds } from '../../../src/workflow/next/values.ts';

/**
 * A person who skips ahead loses nothing that is there, and goes below a requirement only knowingly. What the workflow itself does with what
 * has ended in the pause, it does without a skip too: a list below its requirement may begin again, or go back.
 */
export function skipLaw(before: Run, event: RunEvent, run: Run, policy: RunPolicy): void {
  const { what } = event;
  if (what.kind !== 'resume' || what.how.kind !== 'skip_to' || before.status === 'running' || isOver(stepOf(before, what.how.stage)))
    return;
  const { run: unskipped } = next(before, { ...event, what: { kind: 'resume', how: { kind: 'go_on' } } }, policy);
  for (const step of Object.values(before.steps)) {
    const [now, otherwise] = [run.steps[step.address], unskipped.steps[step.address]];
    if (step.state.kind === 'done' && now?.state.kind !== 'done' && otherwise?.state.kind === 'done')
      throw new Error(`${step.address} was done and is ${now?.state.kind ?? 'gone'} after a skip`);
    const isSame = (one: Step | undefined) => step.result?.commit === one?.result?.commit;
    if (!isSame(now) && isSame(otherwise)) throw new Error(`the result of ${step.address} is gone after a skip`);
  }
  for (const stage of run.plan.stages) {
    if (isOver(stepOf(before, stage.id)) || stepOf(run, stage.id).state.kind !== 'done') continue;
    if (!requirementHolds(run, stage)) throw new Error(`${stage.id} is done below its requirement after a skip`);
  }
  for (const stage of before.plan.stages) for (const item of listItems(before, stage.id)) finishedStays(before, run, item);
}

/** An item that lacks a check at most is not lost. */
function finishedStays(before: Run, run: Run, item: string): void {
  const node = stageAt(before, item);
  if (node?.kind !== 'item' || isOver(stepOf(before, item))) return;
  const work = node.stages.flatMap((address) => (stageAt(before, address)?.kind === 'review' ? [] : (before.steps[address] ?? [])));
  const isWhole = work.length > 0 && work.every(({ state }) => state.kind === 'done');
  if (isWhole && run.steps[item]?.state.kind === 'skipped') throw new Error(`${item} was finished and is left out after a skip`);
}

function stepOf({ steps }: Run, address: string): Step {
  const step = steps[address];
  if (step === undefined) throw new Error(`the run has no step ${address}`);
  return step;
}
