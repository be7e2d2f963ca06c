import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Delivery } from '../../store/deliveries.ts';

/**
 * Interrupted before its first word, Claude Code 2.1 takes the prompt out of the conversation and puts it back into its box. When that
 * was done for a message that could not wait, both go out as one prompt, the older first: nothing is lost, and nothing said twice.
 */
export function mergeInterrupted(before: Delivery, row: Delivery): Pick<Delivery, 'text' | 'sent_text' | 'text_hash' | 'changes'> {
  const sent_text = `${before.sent_text}\n\n${row.sent_text}`;
  const changes = z.array(z.string()).parse(JSON.parse(row.changes));
  return {
    text: `${before.text}\n\n${row.text}`,
    sent_text,
    text_hash: createHash('sha256').update(sent_text).digest('hex'),
    changes: JSON.stringify([...changes, `put behind ${before.id.slice(0, 8)}, which an interrupt had taken back unanswered`]),
  };
}
