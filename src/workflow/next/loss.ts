import { type DegradationRule, degradationRule } from '../../recovery/degradation.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import { isOver, type RunLoss } from '../model/run.ts';
import { listItems, type RunStage } from '../model/stage-at.ts';
import type { Turn } from './turn.ts';
import { requirementHolds } from './values.ts';

/** What a person should know about a stage that was left out, or that is taken as it is: what is missing because of it, and how the run goes on. */
export function describeLoss(turn: Turn, address: string, rule: DegradationRule | undefined = undefined): RunLoss {
  const stage = turn.stage(address);
  const { marks, state } = turn.step(address);
  if (rule !== undefined) return { step: address, impact: rule.impact, mitigation: rule.mitigation };
  if (stage.kind === 'for_each' && state.kind === 'done') return lossOfItems(turn, address);
  if (state.kind === 'done') return lossOfDone(turn, stage);
  if (stage.kind === 'review') {
    const checked = marks.length === 0 ? 'it is used as it is' : `it is marked ${marks.join(', ')}`;
    return { step: address, impact: `${stage.of} was not checked to its end`, mitigation: checked };
  }
  if (stage.kind === 'land') return { step: address, impact: `${stage.of} is not on main`, mitigation: 'its commit is kept' };
  return { step: address, impact: 'its result is missing', mitigation: 'the later stages go on without it, and are told so' };
}

/** What is there was accepted although it is not what was asked for. */
function lossOfDone(turn: Turn, stage: RunStage): RunLoss {
  if (stage.kind === 'review') return { step: stage.id, impact: `${stage.of} is not approved`, mitigation: 'it is used as it is' };
  const impact = requirementHolds(turn.run, stage) ? 'its last result may not be complete' : 'what it left does not meet its requirement';
  return { step: stage.id, impact, mitigation: 'the later stages go on with what is there' };
}

/** What a list lacks that goes on, or went on, with the items that are done. */
export function lossOfItems(turn: Turn, forEach: string): RunLoss {
  const items = listItems(turn.run, forEach);
  const missing = lostItems(turn, forEach).length;
  if (missing === 0)
    return {
      step: forEach,
      impact: 'what its items left does not meet its requirement',
      mitigation: 'the later stages go on with what is there',
    };
  const impact = `${missing} of ${items.length} items ${missing === 1 ? 'is' : 'are'} missing`;
  return { step: forEach, impact, mitigation: 'the later stages go on with the others' };
}

/** Items that ended without a result that counts. */
export function lostItems(turn: Turn, forEach: string): readonly string[] {
  return listItems(turn.run, forEach).filter((item) => isOver(turn.step(item)) && turn.step(item).state.kind !== 'done');
}

/** What is missing because of a failure that ends the matter. */
export function lossFor(turn: Turn, address: string, code: ErrorRecord['code']): RunLoss {
  return describeLoss(turn, address, ruleAfter(turn.stage(address), code));
}

/** The last version is used if a review is left out after its last round; work that an open breaker leaves out has none. */
export function ruleAfter({ kind }: Pick<RunStage, 'kind'>, code: ErrorRecord['code']): DegradationRule | undefined {
  return code === 'MAX_ITERATIONS' && kind !== 'review' ? undefined : degradationRule({ code });
}
