import * as z from 'zod';
import { option, text } from '../../config/schema-parts.ts';

/** Names of paths that are not stages. */
export const RESERVED_IDS: readonly string[] = ['inputs', 'item', 'done', 'failed', 'skipped', 'total', 'shared'];
/** What llmc puts beside the results of stages in `.llmc-task/in/`; a test compares it with the names there. */
export const RESERVED_FILES: readonly string[] = ['messages', 'review.diff', 'handoff.md'];
export const PERSON = 'person';
/** Of the workflow, and of one item. */
const MOST_STAGES = 200;
/** Of inputs, and of roles. */
export const MOST_NAMES = 100;

/** A title is what error messages say is expected. */
function titled<Schema extends z.ZodType>(title: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { title });
  return schema;
}

const word = (title: string, pattern: RegExp) => titled(title, z.string().regex(pattern, { error: `expected ${title}` }));

export const workflowName = () => word('a name: a lower-case letter, then up to 31 of a-z, 0-9 and "-"', /^[a-z][a-z0-9-]{0,31}$/);

/** Short, because it becomes a part of the name of a worker. */
const ROLE = /^[a-z][a-z0-9-]{0,15}$/;
export const roleName = () => word('the name of a role: a lower-case letter, then up to 15 of a-z, 0-9 and "-"', ROLE);

export const inputName = () =>
  word('the name of an input: a letter, then up to 31 of a-z, 0-9, "_" and "-"', /^[A-Za-z][A-Za-z0-9_-]{0,31}$/);

/** It becomes a part of the name of a ref, for which git takes neither ".." nor ".lock" at the end. */
const STAGE = /^(?!.*\.\.|.*\.lock$)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$/;

export const stageId = () => word('the id of a stage: up to 32 of a-z, 0-9, ".", "_" and "-"', STAGE);

export const agentName = () => word('the name of an agent', /^[a-z][a-z0-9_-]{0,31}$/);

export const field = () => word('the name of a field', /^[A-Za-z0-9_-]{1,64}$/);

export const path = () => word('a path such as inputs.task', /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/);

export const duration = () => word('a duration such as 90s, 30m or 2h', /^(?=.*[1-9])(?:\d{1,6}(?:\.\d{1,3})?(?:ms|s|m|h|d)){1,5}$/);

export const filledText = () => text.min(1);

export const shellLines = () => z.union([filledText(), z.array(filledText()).min(1)]);

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const test = titled(
  'a test such as { is: true } or { min: 2 }',
  z
    .strictObject({
      is: scalar.exactOptional(),
      in: z.array(scalar).min(1).exactOptional(),
      min: z.number().exactOptional(),
      max: z.number().exactOptional(),
    })
    .refine((tests) => Object.keys(tests).length > 0, { error: 'expected at least one of is, in, min, max' }),
);

const CONDITIONS = 'conditions such as { inputs.fast: { is: true } }';
const allOf = () => titled(CONDITIONS, z.record(path(), test));

/** All of a mapping must hold, or one of a list of mappings. */
export const condition = () => titled(`${CONDITIONS}, or a list of which one must hold`, z.union([allOf(), z.array(allOf()).min(1)]));

const notify = titled('true, or conditions such as { inputs.fast: { is: true } }', z.union([z.literal(true), condition()]));
const NOTIFY = 'With `skip` or `rollback`: notify a person, always or if this holds.';

const strategies = z.enum(['retry', 'restart', 'skip', 'substitute', 'ask', 'abort']);
const detailed = {
  rollback: stageId().optional(),
  skip: filledText().optional(),
  ask: z.array(filledText()).min(1).optional(),
  notify: option(NOTIFY, notify.optional()),
};
const isOne = (step: object) => ['rollback', 'skip', 'ask'].filter((key) => Object.hasOwn(step, key)).length === 1;
const one = { error: 'expected exactly one of rollback, skip, ask' };

const REACTIONS = 'retry, restart, skip, substitute, ask, abort, { rollback: stage }, { skip: remark }, { ask: [option] }';
const strategy = titled(REACTIONS, z.union([strategies, z.strictObject(detailed).refine(isOne, one)]));

export const reactions = () =>
  titled(
    `${REACTIONS}, or a list of them`,
    z.union([
      strategies,
      z.strictObject({ after: z.int().min(1).max(100).optional(), ...detailed }).refine(isOne, one),
      z.array(strategy).min(1),
    ]),
  );

const FILE = '(?:[A-Za-z0-9_-]+/){0,5}[A-Za-z0-9_-]+\\.[A-Za-z0-9]+';
const outputFile = (title = 'a file such as notes.md') => word(title, new RegExp(`^${FILE}$`));
/** A file with the JSON Schema of its content. */
const checkedFile = () => z.record(outputFile(), z.record(z.string(), z.unknown()));

export const outputs = () => {
  const title = 'commit, answer, or files such as notes.md';
  const files = z.array(z.union([outputFile(), checkedFile()])).min(1);
  return titled(title, z.union([z.enum(['commit', 'answer']), outputFile(title), checkedFile(), files]));
};

const REVIEWER = 'a role, person, or a list of shell lines';

export const reviewer = () => {
  const role = z.string().regex(ROLE, { error: `expected ${REVIEWER}` });
  return titled(REVIEWER, z.union([role, z.array(filledText()).min(1)]));
};

/** The inputs, or the roles. */
export const named = <Value extends z.ZodType>(name: z.ZodString, value: Value) =>
  z.record(name, value).refine((names) => Object.keys(names).length <= MOST_NAMES, { error: `expected at most ${MOST_NAMES}` });

export const stageList = <Item extends z.ZodType>(item: Item) =>
  titled(`a list of 1 to ${MOST_STAGES} stages`, z.array(item).min(1).max(MOST_STAGES));
