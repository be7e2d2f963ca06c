import { sentence } from '../../base/sentence.ts';
import type { Sent } from '../../workers/prompt/await-delivery.ts';

/** What became of a prompt: `received` once the agent has it, else what it waits for. */
export function sentText({ worker, state, reason }: Pick<Sent, 'worker' | 'state' | 'reason'>, received: string): string {
  if (state !== 'held') return received;
  return `Queued for ${worker}: ${sentence(reason ?? 'it has to wait')} llmc delivers it when that ends.`;
}
