import { z } from 'zod';

const text = z.string().catch('');

/** What Claude Code hands to its hooks, as far as llmc reads it. Unknown keys are other people's business; odd ones read as empty. */
export const hookPayload = z.object({
  session_id: z.string().nullable().catch(null),
  source: text,
  prompt: text,
  tool_name: text,
  tool_input: z.record(z.string(), z.unknown()).catch({}),
  notification_type: text,
  message: text,
  last_assistant_message: text,
  background_tasks: z.array(z.looseObject({ status: text })).catch([]),
  error: text,
  error_details: text,
  reason: text,
});

export type HookPayload = z.infer<typeof hookPayload>;

const askedQuestion = z.object({ question: z.string(), options: z.array(z.object({ label: z.string() })).catch([]) });

/** The first of the questions Claude asks at once: the others come on the screen one after the other. */
export function firstQuestion(input: HookPayload['tool_input']): { question: string; choices: readonly string[] } | undefined {
  const questions = z.array(askedQuestion).min(1).safeParse(input['questions']);
  const first = questions.data?.[0];
  return first === undefined ? undefined : { question: first.question, choices: first.options.map(({ label }) => label) };
}
