import { z } from 'zod';
import { parseDuration } from '../../../../base/duration.ts';
import { describeError } from '../../../../base/error.ts';
import { MISBEHAVIOURS } from './misbehave.ts';
import { FAILURE_TYPES, type MisbehaviourSpec, RESOLVES, type Scenario, type Step } from './step.ts';
import { leave, message, progress } from './task-steps.ts';

const duration = z.union([z.string(), z.number()], { error: 'expected a duration such as 2s or 500ms' }).transform((value, context) => {
  try {
    return parseDuration(String(value));
  } catch (error) {
    context.addIssue(describeError(error));
    return z.NEVER;
  }
});

const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'is');
  } catch (error) {
    context.addIssue(describeError(error));
    return z.NEVER;
  }
});

const misbehaviour = z
  .union([z.string(), z.record(z.string(), z.union([z.number().int().nonnegative(), z.array(z.string())]))], {
    error: 'expected the name of a misbehaviour, or one name with its value',
  })
  .transform((raw, context): MisbehaviourSpec => {
    const [pair, ...others] = typeof raw === 'string' ? [[raw, undefined] as const] : Object.entries(raw);
    const [name, value] = pair ?? [''];
    const known = MISBEHAVIOURS[name];
    if (others.length > 0) context.addIssue('one misbehaviour per list item');
    else if (known === undefined) context.addIssue(`unknown misbehaviour "${name}"; use one of ${Object.keys(MISBEHAVIOURS).join(', ')}`);
    else if (value !== undefined && (known.value === 'none' || (known.value === 'names') !== Array.isArray(value))) {
      context.addIssue(
        `${name} takes ${known.value === 'none' ? 'no value' : known.value === 'names' ? 'a list of event names' : `a number (${known.value})`}`,
      );
    }
    return value === undefined ? { name } : { name, value };
  });

const edit = z
  .strictObject({
    path: z.string().min(1),
    content: z.string().optional(),
    append: z.string().optional(),
    replace: z.strictObject({ old: z.string().min(1), new: z.string() }).optional(),
  })
  .transform(({ path, content, append, replace }, context): Step => {
    const changes = [
      ...(content === undefined ? [] : [{ how: 'content', text: content } as const]),
      ...(append === undefined ? [] : [{ how: 'append', text: append } as const]),
      ...(replace === undefined ? [] : [{ how: 'replace', ...replace } as const]),
    ];
    const [change] = changes;
    if (change === undefined || changes.length > 1) {
      context.addIssue('an edit has exactly one of content, append, replace');
      return z.NEVER;
    }
    return { kind: 'edit', path, change };
  });

const ask = z
  .strictObject({
    question: z.string().min(1),
    choices: z.array(z.string().min(1)).max(8).default([]),
    free_text: z.boolean().default(false),
    answers: z.record(z.string(), z.array(z.lazy((): z.ZodType<Step> => stepSchema))).default({}),
  })
  .refine((raw) => raw.choices.length > 0 || raw.free_text, 'a question needs choices, or free_text: true')
  .transform(({ question, choices, free_text, answers }): Step => ({ kind: 'ask', question, choices, freeText: free_text, answers }));

const permission = z
  .strictObject({ tool: z.string().default('Bash'), command: z.string().min(1) })
  .transform((raw): Step => ({ kind: 'request_permission', ...raw }));

const fail = z
  .strictObject({ type: z.enum(FAILURE_TYPES), message: z.string(), resets_in: duration.optional(), continues: z.boolean().default(false) })
  .refine(({ resets_in, continues }) => !continues || resets_in !== undefined, 'continues: true needs resets_in')
  .transform(
    ({ type, message, resets_in, continues }): Step => ({ kind: 'fail', type, message, resetsInMs: resets_in ?? null, continues }),
  );

const stepSchema: z.ZodType<Step> = z
  .strictObject({
    say: z
      .string()
      .transform((text): Step => ({ kind: 'say', text }))
      .optional(),
    edit: edit.optional(),
    run: z
      .string()
      .transform((command): Step => ({ kind: 'run', command }))
      .optional(),
    resolve: z
      .enum(RESOLVES)
      .transform((how): Step => ({ kind: 'resolve', how }))
      .optional(),
    leave: leave.optional(),
    message: message.optional(),
    progress: progress.optional(),
    take: duration.transform((ms): Step => ({ kind: 'take', ms })).optional(),
    commit: z
      .string()
      .min(1)
      .transform((message): Step => ({ kind: 'commit', message }))
      .optional(),
    ask: ask.optional(),
    request_permission: permission.optional(),
    exit: z
      .number()
      .int()
      .min(0)
      .max(255)
      .transform((status): Step => ({ kind: 'exit', status }))
      .optional(),
    fail: fail.optional(),
    misbehave: misbehaviour.transform((what): Step => ({ kind: 'misbehave', what })).optional(),
  })
  .transform((raw, context): Step => {
    const [step, ...others] = Object.values(raw).filter((given) => given !== undefined);
    if (step === undefined || others.length > 0) {
      context.addIssue(
        'a step is exactly one of say, edit, run, resolve, take, commit, leave, message, progress, ask, request_permission, exit, fail, misbehave',
      );
      return z.NEVER;
    }
    return step;
  });

const turn = z
  .strictObject({ when: pattern.optional(), misbehave: z.array(misbehaviour).default([]), steps: z.array(stepSchema) })
  .transform(({ when, ...rest }) => (when === undefined ? rest : { when, ...rest }));

export const scenarioSchema = z
  .strictObject({
    trust_dialog: z.boolean().default(false),
    misbehave: z.array(misbehaviour).default([]),
    turns: z.array(turn).default([]),
  })
  .transform(({ trust_dialog, misbehave, turns }): Scenario => ({ trustDialog: trust_dialog, misbehave, turns }));
