import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Assessment, type Dialog, openDialog } from '../../agents/activity.ts';
import { LlmcError } from '../../base/error.ts';
import type { Attention } from '../../store/attention.ts';
import { asksOf } from '../report/asks-report.ts';
import { askedBy } from '../report/attention.ts';

/** The question that a person had on the screen, as the status reports it. */
export const askedSchema = z.object({
  tool: z.string().nullable(),
  command: z.string().nullable(),
  question: z.string(),
  choices: z.array(z.string()).readonly(),
});
export type AskedOf = z.infer<typeof askedSchema>;

/**
 * Refuses an answer that was meant for another dialog: another person may have answered that one, and the same number would now approve
 * a command that the person has not seen.
 */
export function requireAsked(name: string, asked: AskedOf | undefined, open: Dialog | Attention, last?: Assessment): void {
  if (asked === undefined || isDeepStrictEqual(asked, asksOf(asAttention(open)))) return;
  // What a hook reported may differ in words from the screen, so only the report itself can be compared.
  const reported = last === undefined || last.source === 'screen' ? undefined : openDialog(last.activity);
  if (reported !== undefined && isDeepStrictEqual(asked, asksOf(askedBy(reported)))) return;
  throw new LlmcError('INVALID_ARGUMENT', `${name} asks something else now`, {
    hint: `Read its question, then answer it: llmc why ${name}`,
  });
}

const asAttention = (open: Dialog | Attention): Attention =>
  open.kind === 'awaiting_question' || open.kind === 'awaiting_permission' ? askedBy(open) : open;
