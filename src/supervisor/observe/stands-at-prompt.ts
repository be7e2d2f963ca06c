import { standsAtItsPrompt } from '../../agents/activity.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { Watch } from './watch.ts';

/** Whether a prompt could be sent now: the last capture shows the agent at its prompt, and no other prompt is on its way there. */
export function standsAtPrompt({ protocol, screen: { capture } }: Watch, next: Delivery | undefined): boolean {
  if (next?.state === 'typed' || next?.state === 'submitted') return false;
  // The screen of an agent on the protocol channel does not count; its own report is that the turn has ended.
  if (protocol !== undefined) return true;
  return capture !== undefined && capture.reading.box.kind !== 'absent' && standsAtItsPrompt(capture.reading.activity);
}
