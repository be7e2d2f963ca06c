import * as z from 'zod';
import { option, text } from '../../config/schema-parts.ts';
import { TRIGGERS } from './plan.ts';
import {
  agentName,
  condition,
  duration,
  field,
  filledText,
  inputName,
  named,
  outputs,
  path,
  reactions,
  reviewer,
  roleName,
  shellLines,
  stageId,
  stageList,
  workflowName,
} from './schema-parts.ts';

export const inputSchema = z.strictObject({
  type: option(
    '`text`; `file`, a path whose fields can be named (YAML, JSON, front matter of Markdown); `items`, a folder of Markdown files, or a file or `-` with a list; `flag`, true or false; `list`, several texts.',
    z.enum(['text', 'file', 'items', 'flag', 'list']).optional(),
  ),
  one_of: option('The allowed words, in place of `type`.', z.array(filledText()).min(1).optional()),
  optional: option('Whether a run can start without it. Its path then has no value.', z.boolean().default(false)),
});

export const roleSchema = z.strictObject({
  agent: option('The agent of this role. Without it, the agent of `[defaults]` in `config.toml`.', agentName().optional()),
  model: option('The model, as the command line of the agent names it.', filledText().optional()),
  fallback: option('The agent that takes over when the own one cannot go on.', agentName().optional()),
  prompt: option('What an agent in this role is told about itself, before each task.', text.default('')),
  when_unavailable: option(
    'What follows when no agent of the role can work: `ask` a person, `skip` its stages (what it should have checked is marked unverified), or `stop` the run. Without it, `skip` for the roles of `continue_without` in `[workflow]`, else `ask`.',
    z.enum(['ask', 'skip', 'stop']).optional(),
  ),
});

const breaker = z.strictObject({
  scope: option('Whether failures count per `stage`, or per `item` of a `for_each`.', z.enum(['stage', 'item']).default('stage')),
  failures: option('How many failures in a row open the breaker.', z.int().min(1).max(100).default(3)),
  retry_after: option('How long it stays open before one more try.', duration().default('15m')),
  when_open: option(
    'While it is open: go on with what is there and mark it `partial`, `skip` the stage, `ask` a person, or `abort` the run.',
    z.enum(['partial', 'skip', 'ask', 'abort']).default('ask'),
  ),
  default: option('With `ask`: the answer that is taken when nobody answers.', filledText().optional()),
  after: option('With `default`: how long to wait for an answer.', duration().optional()),
});

/** The keys that every stage may have. */
const common = {
  id: option('Names the stage in paths, commands and messages. Unique in the file, also inside a `for_each`.', stageId()),
  needs: option(
    'The stages that must have ended before. Without it: the stage above. `[]`: none, so it starts at once.',
    z.union([stageId(), z.array(stageId())]).optional(),
  ),
  when: option('Run the stage only if this holds; otherwise it is skipped.', condition().optional()),
  when_unknown: option('Decides when a path of `when` has no value. Without it, the stage is skipped.', condition().optional()),
  when_not: option(
    'Inside a `for_each`: `{ leave: path }` ends the item here if `when` does not hold. The item is skipped, and the text at the path says why.',
    z.strictObject({ leave: option('The path of the reason.', path()) }).optional(),
  ),
  require: option('Must hold once the stage has its results. Otherwise the trigger is `unmet`.', condition().optional()),
  timeout: option('How long the stage may take. Time at a usage limit does not count.', duration().optional()),
  circuit_breaker: option('Stops trying after several failures in a row.', breaker.optional()),
  on_failure: option(
    'What follows a failure: a strategy, or a list of them that are tried in order.',
    z.partialRecord(z.enum(TRIGGERS), reactions()).optional(),
  ),
};

const roleStage = z.strictObject({
  ...common,
  role: option('The role whose agent does the work.', roleName()),
  prompt: option('The task. `{{path}}` is replaced by a value.', filledText()),
  output: option(
    'What the agent must leave: a `commit`, an `answer`, or files in `.llmc-task/out`, each with a JSON Schema if you want it checked.',
    outputs().default('commit'),
  ),
  optional: option('Later stages can do without its result: a question about its failure recommends to skip it.', z.boolean().optional()),
});

const reviewStage = z.strictObject({
  ...common,
  review: option('The stage whose result is checked. Remarks go back to its agent.', stageId()),
  by: option('A role, `person`, or a list of shell lines that must succeed.', reviewer()),
  max_rounds: option('How often the work may be checked. After that the trigger is `limit`.', z.int().min(1).max(20).default(3)),
  prompt: option(
    'What the reviewer should look at, besides the diff and the earlier remarks. A person sees it with the question.',
    text.default(''),
  ),
});

const commandStage = z.strictObject({
  ...common,
  command: option('Shell lines that run in order, without an agent. A line that fails ends the stage.', shellLines()),
});

const landStage = z.strictObject({
  ...common,
  land: option('The stage whose commit lands, through the normal review and accept.', stageId()),
  by: option('Who accepts it: a `person`, or the `run` itself.', z.enum(['person', 'run']).default('person')),
});

const forEach = z.strictObject({
  of: option('The path of a list: an input, or a field of an artifact.', path()),
  key: option('The field of an item that names it. Without it: its number from 1.', field().optional()),
  after: option('The field of an item that lists the items it waits for.', field().optional()),
  max_parallel: option('How many items are under way at once.', z.int().min(1).max(32).default(1)),
  agree_on: option(
    'A field of the results, such as `reviews[].doi`: `shared` counts the values that two or more items name.',
    z
      .string()
      .regex(/^[A-Za-z0-9_-]+(?:\[\])?(?:\.[A-Za-z0-9_-]+(?:\[\])?)*$/, {
        error: 'expected an artifact and a field, such as "reviews[].doi"',
      })
      .optional(),
  ),
  status_file: option('A file input whose items get their status written back.', path().optional()),
  agents: option('A file input that says which agent does what, per item.', path().optional()),
});

/** The schema of each kind of stage that can stand inside a `for_each`, by the key that makes it that kind. */
export const ITEM_STAGES = { role: roleStage, review: reviewStage, command: commandStage, land: landStage } as const;

function forEachStage<Inner extends z.ZodType>(inner: Inner) {
  return z.strictObject({
    ...common,
    for_each: option('Repeats the stages below for every item of a list.', forEach),
    stages: option('The stages of one item.', stageList(inner)),
  });
}

/** The stages of an item are read one by one, so that a problem in one does not hide those of the others. */
export const STAGES = { ...ITEM_STAGES, for_each: forEachStage(z.unknown()) } as const;

export const headSchema = z.strictObject({
  name: option('The name of the workflow; in a `workflows` folder, also the name of its file.', workflowName()),
  description: option('One sentence for `llmc workflows list`.', text.default('')),
  timeout: option('How long the whole run may take. Time at a usage limit does not count.', duration().optional()),
});

const itemStage = z.union(Object.values(ITEM_STAGES));

/** The whole file, for editors and for the reference page. The reader checks part by part and says more. */
export const workflowSchema = z.strictObject({
  ...headSchema.shape,
  inputs: option('What a run is given with `--input`.', named(inputName(), inputSchema).optional()),
  roles: option('Who does the work.', named(roleName(), roleSchema).optional()),
  stages: option(
    'The steps, in order. Each has exactly one of `role`, `review`, `for_each`, `command`, `land`.',
    stageList(z.union([...Object.values(ITEM_STAGES), forEachStage(itemStage)])),
  ),
});
