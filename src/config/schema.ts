import * as z from 'zod';
import { notify } from './notify-section.ts';
import { catchingPattern, keyName, pattern } from './pattern.ts';
import { recovery, stuckSecs } from './recovery-section.ts';
import { AGENT_CO_AUTHORS, attribution } from './repo/attribution.ts';
import { conflictRule } from './repo/conflict-rule.ts';
import { landing } from './repo/landing-options.ts';
import { option, section, text } from './schema-parts.ts';
import { workerNameSchema } from './worker-name.ts';
import { workflow } from './workflow-section.ts';

/** The built-in adapters; any other name is declared under `[agents.<name>]`. */
export const BUILT_IN_AGENTS: readonly string[] = ['claude', 'codex', 'demo'];

const DAY_SECS = 86_400;

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
    'The agent of each worker that does not name its own: a built-in agent, or one declared under `[agents.<name>]`.',
    agentName.default('claude'),
  ),
  model: option(
    'Model of the default agent, as its own command line names it. Empty: the agent chooses, as all other agents do. Without this option, Claude Code gets `opus`.',
    text.optional(),
  ),
  skip_permissions: option(
    'Start the agent so that it does not ask before each tool. As root, Claude Code allows this only in a declared sandbox (`IS_SANDBOX=1`).',
    flag.default(true),
  ),
  allowed_tools: option(
    'Tools that the agent may use without asking when `skip_permissions` is off.',
    lines.default(['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep']),
  ),
  role_prompt: option("Text added to the agent's own instructions in every conversation.", text.default('')),
  excluded_from_pool: option(
    'Leave workers out when llmc chooses one for a task; they get only tasks that name them.',
    flag.default(false),
  ),
  patrol_interval_secs: option('Seconds from one patrol to the next.', seconds.default(60)),
  sound_on_review: option(
    'Ring the bell when a worker needs a person: on the terminal of `llmc up`, `status --watch`, `start --wait` and `wait`.',
    flag.default(true),
  ),
  review_interface: option(
    'How `llmc review` shows work on a terminal: `diff`, `difftastic` or `vscode`. Without it, in difftastic where that is installed, else as a diff. `--interface` comes first.',
    z.enum(['diff', 'difftastic', 'vscode']).optional(),
  ),
  canary: option(
    'After `llmc up`, test an agent version that is not recorded, once, in a temporary folder. Off: only `llmc doctor --canary` does this.',
    flag.default(true),
  ),
  allow_agents_to_decide: option(
    'Let `reject`, `accept`, `dismiss`, `undo`, `rebase`, `answer`, `run`, `decide`, `pause`, `resume`, `recover`, `abort`, `clean`, `unpark`, `reset`, `nuke` and `ui` run inside a worker, and let a review there count. Off: only a person decides, from a terminal outside the sessions of the workers, with a named script (`[people]`) or with a code.',
    flag.default(false),
  ),
});

const repo = section({
  source: option(
    'The repository that accepted work lands in: an absolute path, or one that starts with `~/`.',
    text.min(1).regex(/^(\/|~$|~\/)/, { error: 'expected an absolute path, or one that starts with ~/' }),
  ),
  branch: option(
    'The main branch of the source. `llmc init` detects it and writes it here; without it, llmc detects it each time.',
    text.min(1).optional(),
  ),
  ...landing,
  copy_files: option(
    'Globs of ignored files that each worktree needs (`.env`, local data). Copied from the source when a worktree is created and at each start.',
    lines.default([]),
  ),
  setup: option('Shell commands that llmc runs in a new worktree, in order, before its agent starts.', lines.default([])),
  format: option(
    'Shell commands that format the code. llmc asks the agent to run them before it commits, and runs them itself before a review, and before it lands work that nobody reviewed.',
    lines.default([]),
  ),
  validate: option(
    'Shell commands that must succeed: llmc shows them to the agent, and runs them after a rebase and before landing.',
    lines.default([]),
  ),
  after_accept: option(
    'Shell commands that llmc runs in the source after each accept, with [what landed in their environment](git.md#formatting-and-what-follows-a-landing). If one fails, llmc says so; what landed stays.',
    lines.default([]),
  ),
  attribution: option(
    'Lines that llmc removes from commit messages, as text with `*` for any text; case does not count. A list of your own replaces this one, which names agents: people stay co-authors.',
    z.array(attribution).default(AGENT_CO_AUTHORS),
  ),
  resolve_conflicts: option(
    'When finished work conflicts with main, the patrol and `llmc review` ask its agent to resolve that. Off: only `llmc rebase` and `llmc accept` do.',
    flag.default(true),
  ),
  conflict_patience_secs: option(
    'An agent that makes no progress with a conflict for this long gets help; a person is called after the same time again.',
    seconds.default(300),
  ),
  command_timeout_secs: option(
    'Timeout of one command of `setup`, `format` or `validate`, or of a rule in `conflicts`.',
    seconds.default(1_800),
  ),
  conflicts: option(
    'How llmc itself resolves conflicts in lock files and generated files, before it asks the agent. The first rule that matches a file counts.',
    z.array(conflictRule).default([]),
  ),
});

/** What keeps an agent from writing, or even reading, outside of its own folders. docs/sandbox.md */
const sandboxKind = z.enum(['none', 'bubblewrap', 'user']);
const userName = z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/, { error: 'expected the name of a user of this machine' });
const place = text.regex(/^(\/|~$|~\/)/, { error: 'expected an absolute path, or one that starts with ~/' });

const hostName = text.regex(/^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/, {
  error: 'expected the name of a host, such as "api.example.com" or "127.0.0.1:8123"',
});

const sandbox = section({
  kind: option(
    '`none`: the agent may do what you may do. `bubblewrap`: the agent, the `validate` lines and each git command in its worktree run in a sandbox of [bubblewrap](sandbox.md). `user`: they run as another [user](sandbox.md#a-user-of-their-own); llmc must run as root.',
    sandboxKind.default('none'),
  ),
  user: option('The user of the agents for `kind = "user"`. llmc does not make it.', userName.default('llmc-agent')),
  home: option(
    'What the agent reads of your home: `hidden` shows only what it needs and `readable`; `read-only` shows everything, keys and tokens included.',
    z.enum(['hidden', 'read-only']).default('hidden'),
  ),
  network: option(
    '`full`: the network of the machine. `hosts`: only the hosts of the agent itself and those in `hosts`, through a [proxy of llmc](sandbox.md#the-network). `none`: only a loopback interface of its own.',
    z.enum(['full', 'hosts', 'none']).default('full'),
  ),
  hosts: option(
    'More hosts for `network = "hosts"`: a name stands for its port 443; `name:port` and `*.name` are possible.',
    z.array(hostName).default([]),
  ),
  environment: option(
    'The variables of your environment that a sandboxed agent gets, besides `PATH`, `HOME`, the locale and the like. Without this option it gets all of them. `env` of an agent is added in both cases.',
    z.array(variable).optional(),
  ),
  required: option(
    'Refuse what would run without a wall: an agent whose sandbox is `none`, and `by: run` in a workflow for work of such an agent. `llmc init --hardened` sets it.',
    flag.default(false),
  ),
  readable: option('More files and folders that the agent may read.', z.array(place).default([])),
  writable: option(
    'More files and folders that the agent may write. Never one that a program of yours runs from.',
    z.array(place).default([]),
  ),
});

const pool = section({
  max: option(
    'How many workers llmc may make by itself, one for each task that waits in [the queue](queue.md#workers-as-they-are-needed) while none is idle. 0: none.',
    z.int().min(0).max(100).default(0),
  ),
  keep_secs: option(
    'How long such a worker stays idle before llmc removes it. Until then it takes the next task, and `llmc undo` can give its work back to it.',
    z.int().min(0).max(DAY_SECS).default(300),
  ),
  agent: option('The agent of such a worker, if the task names none. Default: the agent of `[defaults]`.', agentName.optional()),
  model: option('The model of such a worker, if the task names none and the agent is the one above.', text.min(1).optional()),
});

const pane = section({
  width: option("Columns of each agent's terminal.", z.int().min(40).max(1_000).default(200)),
  height: option("Rows of each agent's terminal.", z.int().min(10).max(500).default(50)),
});

// A bracketed paste into Claude Code 2.1 arrived complete in 600 of 600 trials even without a pause, up to 256 KB,
// so these pauses are a safety margin for a loaded machine.
const delivery = section({
  debounce_base_ms: option('Pause between the paste of a prompt and its Enter.', millis(60_000).default(150)),
  debounce_per_kb_ms: option('Added to that pause for each full KB of the prompt.', millis(10_000).default(2)),
  max_debounce_ms: option('Longest pause between the paste and its Enter.', millis(60_000).default(2_000)),
  enter_retry_count: option(
    'How often llmc presses Enter again while the prompt is still in the input box.',
    z.int().min(0).max(20).default(3),
  ),
  enter_retry_delay_ms: option(
    'Shortest pause before a further Enter. The pause grows with each Enter, with `ack_timeout_ms` and with the measured delay of the agent.',
    millis(60_000).default(200),
  ),
  ack_timeout_ms: option(
    'How long the agent may take to report that it has the prompt. After half of this time llmc accepts the screen as evidence. After all of it, llmc sends a prompt again that is provably nowhere; after the second attempt it waits 2.5 times as long, after the third 5 times.',
    millis(600_000).default(2_000),
  ),
});

const price = (what: string) => option(`US dollars per million tokens ${what}.`, z.number().min(0).max(1_000_000).default(0));

const prices = section({
  input: price('of input'),
  output: price('of output'),
  cache_read: price('read from a cache'),
  cache_write: price('written to a cache'),
});

const budget = section({
  tokens_per_day: option(
    'New tasks wait for the next day once all workers together have used this many tokens (input, output and cache writes). 0: no limit.',
    z.int().min(0).default(0),
  ),
  cost_usd_per_day: option('The same in US dollars, for agents with a table in `prices`. 0: no limit.', z.number().min(0).default(0)),
  memory_mb_per_worker: option(
    'llmc restarts an agent in its conversation if the agent and its child processes use more memory than this in two samples. 0: no limit.',
    z.int().min(0).default(0),
  ),
  prices: option('Token prices, one table per agent.', z.record(agentName, prices).default({})),
});

const agent = section({
  command: option('Program to start: a name on `PATH` or a path. Default: the program of the adapter.', text.min(1).optional()),
  args: option('Arguments added to those of the adapter.', lines.default([])),
  env: option("Added to the agent's environment. Values are never logged or shown.", z.record(variable, text).default({})),
  channel: option(
    'How llmc sends prompts to an agent with a protocol (`codex`): `auto` uses the protocol channel if the installed version has it, `typing` always uses the keyboard channel.',
    z.enum(['auto', 'typing']).optional(),
  ),
  extends: option(
    'The agent that this one is a variant of. A name that is not built in needs this option, or a `command` that declares it.',
    agentName.optional(),
  ),
  fallback: option('The agent that takes new tasks while this one waits for a usage limit.', agentName.optional()),
  account: option(
    'Agents with the same account share its usage limit: if one reaches it, all wait. Default: the account of the agent that this one extends, else the name of the adapter.',
    accountName.optional(),
  ),
  start_args: option('Declared agents: arguments after `args` that start a new conversation.', lines.optional()),
  resume_args: option(
    'Declared agents: arguments after `args` that resume a conversation. Without them, each start is a new conversation.',
    lines.optional(),
  ),
  ready: option(
    'Declared agents: patterns of a line on the screen while the agent waits for a prompt.',
    z.array(pattern).min(1).optional(),
  ),
  busy: option('Declared agents: patterns of a line while it works. They win over `ready`.', z.array(pattern).optional()),
  dialog: option(
    'Declared agents: patterns of a line while it asks something. They win over both; llmc then types nothing.',
    z.array(pattern).optional(),
  ),
  box: option(
    'Declared agents: pattern of the first line of the input box, with a group around the text in it.',
    catchingPattern.optional(),
  ),
  box_more: option(
    'Declared agents: pattern of further lines of the input box, with a group, if they do not match `box`.',
    catchingPattern.optional(),
  ),
  folded: option(
    'Declared agents: pattern of the placeholder for a long paste, with a group around the number of lines if it shows one.',
    pattern.optional(),
  ),
  quiet_secs: option(
    'Declared agents without patterns: the agent has probably finished when it has written nothing for this long. Default: 20.',
    z.int().min(1).max(3_600).optional(),
  ),
  multiline: option(
    'Declared agents without patterns: a paste of several lines stays one prompt (bracketed paste). Off: llmc sends one line, with ⏎ for each line break.',
    flag.optional(),
  ),
  interrupt_keys: option('Declared agents: keys that stop a turn. Default: `["Escape"]`.', z.array(keyName).optional()),
  wipe_keys: option(
    'Declared agents: keys that empty the input box. Default: `["C-c"]`; without `box`, `["C-u"]`.',
    z.array(keyName).optional(),
  ),
});

const report = section({
  redact: option(
    'Patterns, as regular expressions: `llmc report` replaces what they match, or their first group, by `[redacted]`. It finds tokens, keys and values of the environment without them.',
    z.array(pattern).max(100).default([]),
  ),
});

const people = section({
  scripts: option(
    'Scripts and programs that may decide like a person without a terminal: jobs of cron, of a service, of CI. Absolute paths of files that only you or root can write and that no agent can. Name the script, not its interpreter. [Who may decide](security.md#who-may-decide) says what is checked.',
    z.array(place).default([]),
  ),
});

export const workerSectionSchema = section({
  agent: option('Agent of this worker.', agentName.optional()),
  model: option('Model of this worker.', text.optional()),
  role_prompt: option('Role prompt of this worker.', text.optional()),
  excluded_from_pool: option('Whether llmc leaves this worker out when it chooses one.', flag.optional()),
  skip_permissions: option("Whether this worker's agent runs without asking.", flag.optional()),
  allowed_tools: option('Tools of this worker.', lines.optional()),
  sound_on_review: option('Whether this worker rings the bell.', flag.optional()),
  stuck_secs: option('The times of this worker without progress, in place of `stuck_secs` in `[recovery]`.', stuckSecs.optional()),
  sandbox: option('The sandbox of this worker, in place of `kind` in `[sandbox]`.', sandboxKind.optional()),
  sandbox_user: option(
    'The user of this worker, in place of `user` in `[sandbox]`: workers with the same user see each other.',
    userName.optional(),
  ),
});

/** The whole of config.toml. docs/configuration.md is generated from it. */
export const configSchema = section({
  defaults: option('Settings of every worker whose own table does not override them.', defaults.prefault({})),
  repo: option('The source repository and what its worktrees need.', repo),
  sandbox: option(
    'A wall around the agents; [the sandbox](sandbox.md) explains it. Takes effect when an agent starts.',
    sandbox.prefault({}),
  ),
  pool: option('Workers that llmc makes for waiting tasks and removes again; [the queue](queue.md) explains it.', pool.prefault({})),
  pane: option('Size of the terminals of the agents.', pane.prefault({})),
  notify: option('Ways to notify a person, besides the bell. llmc notifies once per reason.', notify.prefault({})),
  delivery: option('Timing of typed prompts. The defaults are measured; raise them on a very slow machine.', delivery.prefault({})),
  budget: option('Limits on what the workers may use; all are off unless set. Running tasks continue.', budget.prefault({})),
  recovery: option('What llmc does by itself after a failure; [recovery](recovery.md) has every decision.', recovery.prefault({})),
  workflow: option('Runs of workflows; [running workflows](running-workflows.md) explains them.', workflow.prefault({})),
  people: option('Who decides besides a person at a terminal; [security](security.md#who-may-decide) explains it.', people.prefault({})),
  report: option('What `llmc report` leaves out; [the report](report.md) explains it.', report.prefault({})),
  agents: option(
    'Agents: one table per agent, to change a built-in agent or to declare a new one.',
    z.record(agentName, agent).default({}),
  ),
  workers: option(
    'One table per worker; missing options come from `[defaults]`. `llmc add` and `llmc nuke` edit this part.',
    z.record(workerNameSchema, workerSectionSchema).default({}),
  ),
});

export type Config = z.output<typeof configSchema>;
export type AgentOptions = Config['agents'][string];
export type ConflictRule = Config['repo']['conflicts'][number];
export type SandboxOptions = Config['sandbox'];
/** The keys that `llmc add` writes, as in the file. */
export type WorkerOverrides = z.input<typeof workerSectionSchema>;
