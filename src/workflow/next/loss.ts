import { type DegradationRule, degradationRule } from '../../recovery/degradation.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Loss } from '../model/run.ts';
import type { Turn } from './turn.ts';

/** What a person should know about a stage that was left out: what is missing because of it, and how the run goes on. */
export function lossOf(turn: Turn, address: string, rule: DegradationRule | undefined = undefined): Loss {
  const stage = turn.stage(address);
  const { marks } = turn.step(address);
  if (rule !== undefined) return { step: address, impact: rule.impact, mitigation: rule.mitigation };
  if (stage.kind === 'review') {
    const checked = marks.length === 0 ? 'it is used as it is' : `it is marked ${marks.join(', ')}`;
    return { step: address, impact: `${stage.of} was not checked to its end`, mitigation: checked };
  }
  if (stage.kind === 'land') return { step: address, impact: `${stage.of} is not on main`, mitigation: 'its commit is kept' };
  return { step: address, impact: 'its result is missing', mitigation: 'the later stages go on without it, and are told so' };
}

/** The same for a failure that ends the matter. */
export function lossFor(turn: Turn, address: string, code: ErrorRecord['code']): Loss {
  return lossOf(turn, address, degradationRule({ code }));
}
