import { z } from 'zod';

const text = z.string().catch('');

/** The part of Claude Code's hook payload that llmc reads. Ignores unknown keys; reads keys of a wrong type as empty. */
export const hookPayload = z.object({
  session_id: z.string().nullable().catch(null),
  source: text,
  trigger: text,
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

const askedQuestion = z.object({
  question: z.string(),
  options: z.array(z.object({ label: z.string() })).catch([]),
  multiSelect: z.boolean().catch(false),
});

/** The first of several questions; the screen shows the others one after the other. */
export function firstQuestion(
  input: HookPayload['tool_input'],
): { question: string; choices: readonly string[]; several?: true } | undefined {
  const questions = z.array(askedQuestion).min(1).safeParse(input['questions']);
  const first = questions.data?.[0];
  if (first === undefined) return undefined;
  const asked = { question: first.question, choices: first.options.map(({ label }) => label) };
  return first.multiSelect ? { ...asked, several: true } : asked;
}
