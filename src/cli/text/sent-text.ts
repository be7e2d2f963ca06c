import { sentence } from '../../base/sentence.ts';
import type { Sent } from '../../workers/prompt/await-delivery.ts';

/** `received` if the agent has the prompt, otherwise the reason why the prompt waits. */
export function sentText({ worker, state, reason }: Pick<Sent, 'worker' | 'state' | 'reason'>, received: string): string {
  if (state !== 'held') return received;
  return `Queued for ${worker}: ${sentence(reason ?? 'it has to wait')} llmc delivers it when that ends.`;
}
