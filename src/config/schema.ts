import * as z from 'zod';
import { camelKeys } from './camel.ts';
import { catchingPattern, keyName, pattern } from './pattern.ts';
import { workerNameSchema } from './worker-name.ts';

/** Adapters that come with llmc; any other name is declared under `[agents.<name>]`. */
export const BUILT_IN_AGENTS: readonly string[] = ['claude', 'codex', 'demo'];

const DAY_SECS = 86_400;

/** `schema.describe()` makes a copy each time; at every start of llmc those copies cost more than reading the file. */
function option<Schema extends z.ZodType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** A TOML table: snake_case outside, camelCase inside, unknown keys refused. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform(camelKeys);
}

// No program can be handed a NUL byte, neither as an argument nor in its environment.
const text = z.string().regex(/^[^\0]*$/, { error: 'expected text without NUL characters' });
const flag = z.boolean();
const lines = z.array(text);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'expected the name of an environment variable' });
const millis = (max: number) => z.int().min(0).max(max);
const seconds = z.int().min(1).max(DAY_SECS);
const agentName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, { error: 'expected an agent name: a lower-case letter, then a-z, 0-9, "-", "_"' });

const accountName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/, { error: 'expected the name of an account: letters, digits, ".", "@", "-", "_"' });

const defaults = section({
  agent: option(
    'The agent a worker runs unless it names its own: a built-in one or one declared under `[agents.<name>]`.',
    agentName.default('claude'),
  ),
  model: option(
    'Model handed to the default agent, in the words of its own command line. Empty: the agent decides, as does every other agent. Without it, Claude Code is given `opus`.',
    text.optional(),
  ),
  skip_permissions: option(
    'Start the agent so that it does not ask before each tool. As root, Claude Code allows this only in a declared sandbox (`IS_SANDBOX=1`).',
    flag.default(true),
  ),
  allowed_tools: option(
    'Tools the agent may use without asking when `skip_permissions` is off.',
    lines.default(['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep']),
  ),
  role_prompt: option('Text added to what the agent knows about its role, in every conversation.', text.default('')),
  excluded_from_pool: option(
    'Leave workers out when llmc picks one for a task; they then get only work that names them.',
    flag.default(false),
  ),
  patrol_interval_secs: option('Seconds from one patrol to the next.', seconds.default(60)),
  sound_on_review: option(
    'Ring the bell when a worker needs a person: on the terminal of `llmc up`, `status --watch`, `start --wait` and `wait`.',
    flag.default(true),
  ),
  canary: option(
    'After `llmc up`, try out an agent version nobody has recorded, once, in a folder of its own. Off: only `llmc doctor --canary` does.',
    flag.default(true),
  ),
  allow_agents_to_decide: option(
    'Let `reject`, `accept`, `answer`, `unpark`, `reset` and `nuke` run inside a worker. Off: only a person decides.',
    flag.default(false),
  ),
});

const repo = section({
  source: option(
    'The repository that accepted work lands in: an absolute path, or one that starts with `~/`.',
    text.min(1).regex(/^(\/|~$|~\/)/, { error: 'expected an absolute path, or one that starts with ~/' }),
  ),
  branch: option(
    'The branch of the source that is the truth. `llmc init` finds it and writes it here; without it, llmc looks for it each time.',
    text.min(1).optional(),
  ),
  copy_files: option(
    'Globs of ignored files that each worktree needs (`.env`, local data). Copied from the source when a worktree is made and at each start.',
    lines.default([]),
  ),
  setup: option('Shell lines run in a new worktree, in order, before its agent starts.', lines.default([])),
  format: option('Shell lines that format the code; the agent is told to run them before it commits.', lines.default([])),
  validate: option(
    'Shell lines that must succeed: shown to the agent, and run by llmc after a rebase and before landing.',
    lines.default([]),
  ),
  command_timeout_secs: option('Longest time one line of `setup`, `format` or `validate` may take.', seconds.default(1_800)),
});

const pane = section({
  width: option("Columns of each agent's terminal.", z.int().min(40).max(1_000).default(200)),
  height: option("Rows of each agent's terminal.", z.int().min(10).max(500).default(50)),
});

const notify = section({
  desktop: option('Show a desktop notification when a person is needed.', flag.default(false)),
  tmux: option('Show a message in the tmux client you are attached with.', flag.default(false)),
  command: option(
    'Shell line run when a person is needed, with `LLMC_WORKER`, `LLMC_STATUS` and `LLMC_REASON` in its environment.',
    text.default(''),
  ),
});

// Bracketed paste into Claude Code 2.1 arrived whole in 600 of 600 trials even with no pause, up to 256 KB,
// so these pauses are a margin for a loaded machine, not a condition.
const delivery = section({
  debounce_base_ms: option('Pause between the paste of a prompt and its Enter.', millis(60_000).default(150)),
  debounce_per_kb_ms: option('Added to that pause for each full KB of the prompt.', millis(10_000).default(2)),
  max_debounce_ms: option('The pause never grows beyond this.', millis(60_000).default(2_000)),
  enter_retry_count: option(
    'How often Enter is pressed again while the prompt is seen to sit unsent in the input box.',
    z.int().min(0).max(20).default(3),
  ),
  enter_retry_delay_ms: option(
    'Pause before a further Enter, at least: it grows with each one, with `ack_timeout_ms` and with how slow the agent is seen to be.',
    millis(60_000).default(200),
  ),
  ack_timeout_ms: option(
    'How long the agent may take to say that it has the prompt; after half of it the screen is believed, after all of it a prompt that is nowhere to be seen is sent again.',
    millis(600_000).default(2_000),
  ),
});

const price = (what: string) => option(`US dollars per million tokens ${what}.`, z.number().min(0).max(1_000_000).default(0));

const prices = section({
  input: price('given to the model'),
  output: price('it answers with'),
  cache_read: price('that come out of a cache'),
  cache_write: price('that are written to one'),
});

const budget = section({
  tokens_per_day: option(
    'New tasks wait for the next day once all workers together have used this many tokens (input, output and what is written to a cache). 0: no limit.',
    z.int().min(0).default(0),
  ),
  cost_usd_per_day: option(
    'The same in US dollars, as far as costs are known: told by the agent itself, or worked out from `prices`. 0: no limit.',
    z.number().min(0).default(0),
  ),
  memory_mb_per_worker: option(
    'An agent that holds more memory than this in two samples, with all it has started, is started anew in its conversation. 0: no limit.',
    z.int().min(0).default(0),
  ),
  prices: option(
    'What the tokens of an agent cost that does not tell it itself, one table per agent.',
    z.record(agentName, prices).default({}),
  ),
});

const agent = section({
  command: option('Program to start: a name on `PATH` or a path. Without it, that of the adapter.', text.min(1).optional()),
  args: option('Arguments added to those the adapter gives the program.', lines.default([])),
  env: option("Added to the agent's environment. Values are never logged or shown.", z.record(variable, text).default({})),
  channel: option(
    'How prompts reach an agent that can be both spoken and typed to (`codex`): `auto` speaks where the installed version can, `typing` never does.',
    z.enum(['auto', 'typing']).optional(),
  ),
  extends: option(
    'The agent this one is a variant of. A name that is not built in needs this, or the options below that declare it.',
    agentName.optional(),
  ),
  fallback: option('The agent that takes over new tasks while this one waits for a usage limit.', agentName.optional()),
  account: option(
    'Agents with the same account share its usage limit: what one reaches, all wait for. Without it, that of the agent it extends; at last the name of the adapter.',
    accountName.optional(),
  ),
  start_args: option('Declared agents: arguments after `args` that begin a new conversation.', lines.optional()),
  resume_args: option(
    'Declared agents: arguments after `args` that take a conversation up again. Without them, a new start is a new conversation.',
    lines.optional(),
  ),
  ready: option('Declared agents: what a line reads like while the agent waits for a prompt.', z.array(pattern).min(1).optional()),
  busy: option('Declared agents: what a line reads like while it works. Wins over `ready`.', z.array(pattern).optional()),
  dialog: option(
    'Declared agents: what a line reads like while it asks something. Wins over both; nothing is typed then.',
    z.array(pattern).optional(),
  ),
  box: option('Declared agents: how the input line reads, with a group around the text in it.', catchingPattern.optional()),
  box_more: option(
    'Declared agents: how further lines of the input read, with a group, where they do not match `box` themselves.',
    catchingPattern.optional(),
  ),
  folded: option(
    'Declared agents: what stands in the box in place of a long paste, with a group around the number of lines if it tells.',
    pattern.optional(),
  ),
  interrupt_keys: option('Declared agents: keys that stop a turn. Without them: `["Escape"]`.', z.array(keyName).optional()),
  wipe_keys: option('Declared agents: keys that empty the box. Without them: `["C-c"]`.', z.array(keyName).optional()),
});

export const workerSchema = section({
  agent: option('Agent of this worker.', agentName.optional()),
  model: option('Model of this worker.', text.optional()),
  role_prompt: option('Role of this worker.', text.optional()),
  excluded_from_pool: option('Whether this worker is left out when llmc picks one.', flag.optional()),
  skip_permissions: option("Whether this worker's agent runs without asking.", flag.optional()),
  allowed_tools: option('Tools of this worker.', lines.optional()),
  sound_on_review: option('Whether this worker rings the bell.', flag.optional()),
});

/** The whole of config.toml. docs/configuration.md is generated from it. */
export const configSchema = section({
  defaults: option('What every worker gets unless its own table says otherwise.', defaults.prefault({})),
  repo: option('The source repository and what its worktrees need.', repo),
  pane: option('Size of the terminals the agents draw in.', pane.prefault({})),
  notify: option('Ways to call a person, besides the bell. Each reason is told once.', notify.prefault({})),
  delivery: option('Timing of typed prompts. The defaults are measured; raise them on a machine that is very slow.', delivery.prefault({})),
  budget: option('What the workers may use; all of it is off unless set. Work under way goes on.', budget.prefault({})),
  agents: option(
    'Agent command lines: one table per agent, to point a built-in one elsewhere or to declare a new one.',
    z.record(agentName, agent).default({}),
  ),
  workers: option(
    'One table per worker; what is left out comes from `[defaults]`. `llmc add` and `llmc nuke` keep this part.',
    z.record(workerNameSchema, workerSchema).default({}),
  ),
});

export type Config = z.output<typeof configSchema>;
export type AgentOptions = Config['agents'][string];
export type DeliveryTiming = Config['delivery'];
/** Keys as written in the file: what `llmc add` puts there. */
export type WorkerOverrides = z.input<typeof workerSchema>;
