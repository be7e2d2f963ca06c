import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { validConfigPath } from '../config/valid-config-path.ts';
import { exists, namesIn } from '../system/files/files.ts';

/** sun_path holds 108 bytes on Linux and 104 on macOS, terminator included. */
const LONGEST_SOCKET_PATH = 100;

/** The plan and the inputs of a run, in its folder: what a run can be read back from without the database. */
export const RUN_HEAD_FILE = 'workflow.yaml';

const OUTPUT_STEPS = ['setup', 'format', 'validate', 'resolve', 'after_accept'] as const;
type OutputStep = (typeof OUTPUT_STEPS)[number];

/** The paths of one root. */
export interface Layout {
  readonly root: string;
  readonly config: string;
  /** A copy of the last valid config.toml, in force while config.toml is invalid. */
  readonly validConfig: string;
  readonly state: string;
  readonly stateBackup: string;
  readonly database: string;
  /** Copies of the database, for when it is damaged. */
  readonly copies: string;
  readonly lock: string;
  readonly owner: string;
  /** Since when agents of this root may have run, for the question whether a process can come from one. */
  readonly agentsSince: string;
  readonly canaries: string;
  /** The patterns of declared agents that are proven wrong. */
  readonly wrongPatterns: string;
  readonly canaryLock: string;
  /** When a service last started the supervisor. */
  readonly serviceStarts: string;
  readonly worktrees: string;
  /** What each run keeps: results, by the name of the run. */
  readonly runs: string;
  readonly logs: string;
  readonly events: string;
  readonly run: string;
  /** tmux writes to it when an agent's process ends. The only file of its folder, so that the folder can be watched. */
  readonly deaths: string;
  readonly apiSocket: string;
  readonly tmuxSocket: string;
  worktree(worker: string): string;
  spool(worker: string): string;
  scratch(worker: string): string;
  /** What a sandboxed worker may write besides its worktree: its own git folder, its agent's files, a cache. */
  sandbox(worker: string): string;
  /** The socket of an agent on the protocol channel, in a folder of its own that a sandboxed agent can have alone. */
  agentSocket(worker: string): string;
  log(worker: string): string;
  /** What llmc did about failures, of all workers. Not a `.log`: a worker may have any name. */
  readonly recoveryLog: string;
  /** A saved screen: of an agent that ended, or that took no prompt, by the time of that. */
  lastScreen(worker: string, when: string): string;
  /** The whole output of the last run of the user's commands for a worker. */
  output(worker: string, step: OutputStep): string;
}

export function makeLayout(root: string): Layout {
  const at = (...parts: string[]) => join(root, ...parts);
  const sockets = socketDirectory(root);
  return {
    root,
    config: at('config.toml'),
    validConfig: validConfigPath(root),
    state: at('state.json'),
    stateBackup: at('state.json.bak'),
    database: at('llmc.db'),
    copies: at('copies'),
    lock: at('run', 'lock'),
    owner: at('run', 'owner.json'),
    agentsSince: at('run', 'agents-since.json'),
    canaries: at('canaries.json'),
    wrongPatterns: at('run', 'wrong-patterns.json'),
    canaryLock: at('run', 'canary.lock'),
    serviceStarts: at('run', 'service-starts.json'),
    worktrees: at('.worktrees'),
    runs: at('runs'),
    logs: at('logs'),
    events: at('events'),
    run: at('run'),
    deaths: at('run', 'deaths', 'last'),
    apiSocket: join(sockets, 'api.sock'),
    tmuxSocket: join(sockets, 'tmux.sock'),
    worktree: (worker) => at('.worktrees', worker),
    spool: (worker) => at('events', worker),
    scratch: (worker) => at('run', 'workers', worker),
    sandbox: (worker) => at('sandbox', worker),
    // A hash, because a worker's name may be longer than a socket path has room for.
    agentSocket: (worker) => join(sockets, shortHash(worker, 8), 's'),
    log: (worker) => at('logs', `${worker}.log`),
    recoveryLog: at('logs', 'recovery.jsonl'),
    lastScreen: (worker, when) => at('logs', `${worker}.screen-${when}.txt`),
    output: (worker, step) => at('logs', `${worker}.${step}.txt`),
  };
}

/** The layout of the root that a worktree lies in. */
export function layoutAround(worktree: string): Layout {
  return makeLayout(dirname(dirname(worktree)));
}

/** Sockets live in the root, unless its path is too long for one; then in a private directory named after it. */
function socketDirectory(root: string): string {
  const inside = join(root, 'run');
  if (fitsSockets(inside)) return inside;
  const name = shortHash(root, 16);
  // Not below TMPDIR: a command with another TMPDIR must find the same supervisor.
  return join('/tmp', `llmc-${userInfo().uid}-${name}`);
}

// Loading node:crypto would cost every command several milliseconds, and almost no command needs it.
function shortHash(text: string, length: number): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, length);
}

function fitsSockets(directory: string): boolean {
  return Buffer.byteLength(join(directory, 'tmux.sock')) <= LONGEST_SOCKET_PATH;
}

/** SQLite keeps these beside a database, with the mode of the database. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/**
 * Every path below a root that llmc makes for its user alone, whether it exists or not. Not the worktrees and the clone: agents and
 * git write them with the umask of the user, and the folder above them is private.
 */
export function ownPaths(layout: Layout): readonly string[] {
  const { root, run, runs, logs, events, worktrees, config, state, stateBackup, owner, canaries, apiSocket, tmuxSocket, deaths } = layout;
  const scratch = join(run, 'workers');
  const below = (folder: string) => namesIn(folder).map((name) => join(folder, name));
  // What an agent reads or writes as a user of its own is not for llmc alone.
  const isOwn = (path: string) => !exists(join(layout.sandbox(basename(path)), 'user'));
  const workers = below(scratch).filter(isOwn);
  return [
    root,
    run,
    dirname(apiSocket),
    dirname(deaths),
    logs,
    events,
    worktrees,
    runs,
    scratch,
    config,
    state,
    stateBackup,
    owner,
    canaries,
    layout.wrongPatterns,
    apiSocket,
    tmuxSocket,
    deaths,
    ...[layout.database, layout.lock, layout.canaryLock].flatMap((path) => BESIDE.map((suffix) => `${path}${suffix}`)),
    layout.validConfig,
    layout.copies,
    ...below(layout.copies),
    ...below(logs),
    ...below(runs),
    ...below(runs).flatMap(below),
    ...below(events).filter(isOwn),
    ...workers,
    ...workers.flatMap(below),
  ];
}

/** The worker that a file of `Layout.output` belongs to, by its name; undefined for any other file. */
export function workerOfOutput(name: string): string | undefined {
  const step = OUTPUT_STEPS.find((each) => name.endsWith(`.${each}.txt`));
  return step === undefined ? undefined : name.slice(0, -`.${step}.txt`.length);
}
