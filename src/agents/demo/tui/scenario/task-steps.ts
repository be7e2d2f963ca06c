import { z } from 'zod';
import { BAD_RESULTS, type ResultContent, type Step } from './step.ts';

const file = z.string().min(1);

/** `leave: findings.md`, or a mapping with the content. Without `file`: every file that the task asks for. */
export const leave = z
  .union(
    [
      file.transform((named) => ({ file: named })),
      z.strictObject({
        file: file.optional(),
        content: z.string().optional(),
        bad: z.enum(BAD_RESULTS).optional(),
        issues: z.array(z.string().min(1)).min(1).optional(),
        rounds: z.int().nonnegative().optional(),
      }),
    ],
    { error: 'expected the name of a file, or a mapping with file, content, bad, issues, rounds' },
  )
  .transform((raw, context): Step => {
    const contents = contentsIn(raw);
    const [content = { how: 'good' } as const] = contents;
    if (contents.length > 1) context.addIssue('a result has one of content, bad, issues');
    if ('rounds' in raw && content.how !== 'remarks') context.addIssue('rounds needs issues');
    return { kind: 'leave', file: raw.file ?? null, content };
  });

interface RawContent {
  readonly file?: string | undefined;
  readonly content?: string | undefined;
  readonly bad?: (typeof BAD_RESULTS)[number] | undefined;
  readonly issues?: readonly string[] | undefined;
  readonly rounds?: number | undefined;
}

function contentsIn({ content, bad, issues, rounds }: RawContent): readonly ResultContent[] {
  return [
    ...(content === undefined ? [] : [{ how: 'text', text: content } as const]),
    ...(bad === undefined ? [] : [{ how: 'bad', bad } as const]),
    ...(issues === undefined ? [] : [{ how: 'remarks', issues, rounds: rounds ?? null } as const]),
  ];
}

export const message = z
  .strictObject({ to: z.string().min(1), text: z.string().min(1) })
  .transform(({ to, text }): Step => ({ kind: 'message', to, text }));

export const progress = z
  .strictObject({ done: z.int().nonnegative(), total: z.int().nonnegative(), note: z.string().default('') })
  .transform(({ done, total, note }): Step => ({ kind: 'progress', done, total, note }));
