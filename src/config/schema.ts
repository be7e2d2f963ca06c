import * as z from 'zod';
import { camelKeys } from './camel.ts';
import { workerNameSchema } from './worker-name.ts';

/** Adapters that come with llmc; any other name is declared under `[agents.<name>]`. */
export const BUILT_IN_AGENTS: readonly string[] = ['claude', 'codex', 'demo'];

const DAY_SECS = 86_400;

/** A TOML table: snake_case outside, camelCase inside, unknown keys refused. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform(camelKeys);
}

// No program can be handed a NUL byte, neither as an argument nor in its environment.
const text = () => z.string().regex(/^[^\0]*$/, { error: 'expected text without NUL characters' });
const flag = () => z.boolean();
const lines = () => z.array(text());
const variable = () => z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'expected the name of an environment variable' });
const millis = (max: number) => z.int().min(0).max(max);
const seconds = () => z.int().min(1).max(DAY_SECS);
const agentName = () =>
  z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, { error: 'expected an agent name: a lower-case letter, then a-z, 0-9, "-", "_"' });

const defaults = section({
  agent: agentName()
    .default('claude')
    .describe('The agent a worker runs unless it names its own: a built-in one or one declared under `[agents.<name>]`.'),
  model: text().default('opus').describe('Model handed to the agent, in the words of its own command line. Empty: the agent decides.'),
  skip_permissions: flag()
    .default(true)
    .describe(
      'Start the agent so that it does not ask before each tool. As root, Claude Code allows this only in a declared sandbox (`IS_SANDBOX=1`).',
    ),
  allowed_tools: lines()
    .default(['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'])
    .describe('Tools the agent may use without asking when `skip_permissions` is off.'),
  role_prompt: text().default('').describe('Text added to what the agent knows about its role, in every conversation.'),
  excluded_from_pool: flag()
    .default(false)
    .describe('Leave workers out when llmc picks one for a task; they then get only work that names them.'),
  patrol_interval_secs: seconds().default(60).describe('Seconds from one patrol to the next.'),
  sound_on_review: flag().default(true).describe('Ring the terminal bell when work waits for review.'),
  allow_agents_to_decide: flag()
    .default(false)
    .describe('Let `accept`, `reject`, `undo`, `nuke`, `decide` and `answer` run inside a worker. Off: only a person decides.'),
});

const repo = section({
  source: text()
    .min(1)
    .regex(/^(\/|~$|~\/)/, { error: 'expected an absolute path, or one that starts with ~/' })
    .describe('The repository that accepted work lands in: an absolute path, or one that starts with `~/`.'),
  branch: text()
    .min(1)
    .optional()
    .describe(
      'The branch of the source that is the truth. `llmc init` finds it and writes it here; without it, llmc looks for it each time.',
    ),
  copy_files: lines()
    .default([])
    .describe(
      'Globs of ignored files that each worktree needs (`.env`, local data). Copied from the source when a worktree is made and at each start.',
    ),
  setup: lines().default([]).describe('Shell lines run in a new worktree, in order, before its agent starts.'),
  format: lines().default([]).describe('Shell lines that format the code; the agent is told to run them before it commits.'),
  validate: lines()
    .default([])
    .describe('Shell lines that must succeed: shown to the agent, and run by llmc after a rebase and before landing.'),
  command_timeout_secs: seconds().default(1_800).describe('Longest time one line of `setup`, `format` or `validate` may take.'),
});

const pane = section({
  width: z.int().min(40).max(1_000).default(200).describe("Columns of each agent's terminal."),
  height: z.int().min(10).max(500).default(50).describe("Rows of each agent's terminal."),
});

const notify = section({
  desktop: flag().default(false).describe('Show a desktop notification when a person is needed.'),
  tmux: flag().default(false).describe('Show a message in the tmux client you are attached with.'),
  command: text()
    .default('')
    .describe('Shell line run when a person is needed, with `LLMC_WORKER`, `LLMC_STATUS` and `LLMC_REASON` in its environment.'),
});

// Bracketed paste into Claude Code 2.1 arrived whole in 600 of 600 trials even with no pause, up to 256 KB,
// so these pauses are a margin for a loaded machine, not a condition.
const delivery = section({
  debounce_base_ms: millis(60_000).default(150).describe('Pause between the paste of a prompt and its Enter.'),
  debounce_per_kb_ms: millis(10_000).default(2).describe('Added to that pause for each full KB of the prompt.'),
  max_debounce_ms: millis(60_000).default(2_000).describe('The pause never grows beyond this.'),
  enter_retry_count: z
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe('How often Enter is pressed again while the prompt is seen to sit unsent in the input box.'),
  enter_retry_delay_ms: millis(60_000).default(200).describe('Pause before each further Enter.'),
  ack_timeout_ms: millis(600_000)
    .default(2_000)
    .describe('How long the agent may take to say that it has the prompt before llmc looks at the input box.'),
});

const agent = section({
  command: text().min(1).optional().describe('Program to start: a name on `PATH` or a path. Without it, that of the adapter.'),
  args: lines().default([]).describe('Arguments added to those the adapter gives the program.'),
  env: z.record(variable(), text()).default({}).describe("Added to the agent's environment. Values are never logged or shown."),
  extends: agentName().optional().describe('The agent this one is a variant of. Needed for a name that is not built in.'),
  fallback: agentName().optional().describe('The agent that takes over new tasks while this one cannot work.'),
});

export const workerSchema = section({
  agent: agentName().optional().describe('Agent of this worker.'),
  model: text().optional().describe('Model of this worker.'),
  role_prompt: text().optional().describe('Role of this worker.'),
  excluded_from_pool: flag().optional().describe('Whether this worker is left out when llmc picks one.'),
  skip_permissions: flag().optional().describe("Whether this worker's agent runs without asking."),
  allowed_tools: lines().optional().describe('Tools of this worker.'),
  sound_on_review: flag().optional().describe('Whether this worker rings the bell.'),
});

/** The whole of config.toml. docs/configuration.md is generated from it. */
export const configSchema = section({
  defaults: defaults.prefault({}).describe('What every worker gets unless its own table says otherwise.'),
  repo: repo.describe('The source repository and what its worktrees need.'),
  pane: pane.prefault({}).describe('Size of the terminals the agents draw in.'),
  notify: notify.prefault({}).describe('Ways to call a person, besides the bell. Each reason is told once.'),
  delivery: delivery
    .prefault({})
    .describe('Timing of typed prompts. The defaults are measured; raise them on a machine that is very slow.'),
  agents: z
    .record(agentName(), agent)
    .default({})
    .describe('Agent command lines: one table per agent, to point a built-in one elsewhere or to declare a new one.'),
  workers: z
    .record(workerNameSchema, workerSchema)
    .default({})
    .describe('One table per worker; what is left out comes from `[defaults]`. `llmc add` and `llmc nuke` keep this part.'),
});

export type Config = z.output<typeof configSchema>;
export type AgentOptions = Config['agents'][string];
export type DeliveryTiming = Config['delivery'];
/** Keys as written in the file: what `llmc add` puts there. */
export type WorkerOverrides = z.input<typeof workerSchema>;
