import type { Config } from '../../config/schema.ts';
import type { Layout } from '../../store/layout.ts';
import { systemClock } from '../../system/clock.ts';
import { expandHome } from '../../system/home.ts';
import { agentsSince } from '../../system/processes/agents-since.ts';
import { canChallenge } from '../../system/processes/identity.ts';
import { readKin } from '../../system/processes/lineage.ts';
import { type Allowed, type Caller, identifyCaller } from '../../terminal/person.ts';
import type { OperationName } from './operations.ts';
import { spendCode } from './person-code.ts';
import type { Call } from './server.ts';
import { insideWorkerError, unshownError } from './unshown-error.ts';

/**
 * Who may make a request. `anyone`: it decides nothing. `person`: it decides about work, or ends what others wait for. `reviewer`: anyone
 * may read, and only the review of a person counts. `sender` and `queuer`: anyone may, and it is noted who did.
 */
type Rule = 'anyone' | 'person' | 'reviewer' | 'sender' | 'queuer';

interface Detailed {
  readonly rule: Rule;
  /** What a person types for it. */
  readonly command: string;
  /** With these arguments it decides nothing. */
  readonly unless?: (args: unknown) => boolean;
}

const hasNo =
  (key: string) =>
  (args: unknown): boolean =>
    typeof args === 'object' && args !== null && (Reflect.get(args, key) ?? undefined) === undefined;

/** What only a running supervisor answers; `QUERIES` has exactly these. */
export type QuestionName = 'status' | 'follow' | 'watchScreen' | 'why' | 'answer' | 'ready' | 'handOver' | 'down';

/** Every request has a rule: without one, this does not compile. */
export const REQUEST_RULES: Readonly<Record<OperationName | QuestionName, Rule | Detailed>> = {
  // Questions, and prompts: an agent may give work, and not decide about it.
  status: 'anyone',
  follow: 'anyone',
  watchScreen: 'anyone',
  why: 'anyone',
  ready: 'anyone',
  diff: 'anyone',
  messages: 'anyone',
  drafts: 'anyone',
  // What a person reads and sends as their own words.
  draft: { rule: 'person', command: 'ui' },

  queueList: 'anyone',
  queueShow: 'anyone',
  queueWait: 'anyone',
  wait: 'anyone',
  waitAny: 'anyone',
  offerWorker: 'anyone',
  taskChoices: 'anyone',
  checkpoint: 'anyone',

  rescueList: 'anyone',
  rescueDiff: 'anyone',
  rescueShow: 'anyone',
  add: 'anyone',
  start: 'anyone',
  message: 'anyone',
  down: 'anyone',
  review: 'reviewer',
  send: 'sender',
  queueAdd: 'queuer',
  answer: 'person',
  reject: 'person',
  accept: 'person',
  dismiss: 'person',
  undo: 'person',
  rebase: 'person',
  acceptAll: { rule: 'person', command: 'accept --all-clean' },
  nuke: 'person',
  reset: 'person',
  unpark: 'person',
  // A workflow can land by itself, and an agent can write one.
  run: 'person',
  decide: 'person',
  pause: 'person',
  resume: 'person',
  abort: 'person',
  recover: 'person',
  clean: 'person',
  // A supervisor inside a worker would decide for its agent.
  handOver: { rule: 'person', command: 'up --replace' },
  repair: { rule: 'person', command: 'doctor --repair' },
  // A rescue is all that is left of some work. What it is restored into becomes work to review, in the place of other work.
  rescuePrune: { rule: 'person', command: 'rescue prune' },
  rescueRestore: { rule: 'person', command: 'rescue restore --into', unless: hasNo('into') },
  // An agent may put a task into the queue, as it may start one, but the others there are not its own.
  queueEdit: { rule: 'person', command: 'queue edit' },
  queueMove: { rule: 'person', command: 'queue move' },
  queueCancel: { rule: 'person', command: 'queue cancel' },
  messageCancel: { rule: 'person', command: 'message --cancel' },
  messageEdit: { rule: 'person', command: 'message --edit' },
};

function chooseRule(name: string, args: unknown): Detailed {
  const found = Object.entries(REQUEST_RULES).find(([each]) => each === name)?.[1];
  // A request that nobody knows is refused later; until then it decides nothing.
  if (found === undefined) return { rule: 'anyone', command: name };
  if (typeof found === 'string') return { rule: found, command: name };
  return found.unless?.(args) === true ? { ...found, rule: 'anyone' } : found;
}

type Asking = Pick<Call, 'name' | 'args' | 'provenPid' | 'code'>;

interface Root {
  readonly layout: Layout;
  readonly config: () => Promise<Config>;
}

/**
 * Refuses a decision unless a person is shown to make it. Returns the arguments, with what they must say about their caller. The same for
 * a request over the socket and for a command that runs without a supervisor. `others`: processes that run code of agents.
 */
export async function admitRequest(root: Root, asking: Asking, others: readonly number[]): Promise<unknown> {
  const { name, args } = asking;
  const { rule, command } = chooseRule(name, args);
  if (rule === 'anyone') return args;
  const mayAll = await root.config().then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  // An agent that may decide still speaks for itself.
  if (mayAll && rule !== 'sender') return args;
  // There, the command checks itself.
  if (!canChallenge() && process.platform !== 'linux') return args;
  const pid = canChallenge() ? await asking.provenPid() : undefined;
  const caller = await identify(root, pid, others, name === 'handOver');
  if (caller.kind === 'person') return args;
  if (rule === 'sender') return isMarked(caller) ? marked(args, { from: nameWorker(caller) }) : args;
  if (rule === 'queuer') return isMarked(caller) ? marked(args, { byAgent: true }) : args;
  if (hasCode(root.layout, asking.code, pid)) return args;
  if (rule === 'reviewer') return marked(args, { byAgent: true });
  throw makeRefusal(command, caller, asking.code);
}

/** Who a process is. `orParent`: a supervisor in the background has no terminal, and the command that started it has one. */
export async function identify(root: Root, pid: number | undefined, others: readonly number[], orParent = false): Promise<Caller> {
  if (pid === undefined) return { kind: 'unshown', lacks: { kind: 'unreadable' } };
  const since = agentsSince(root.layout.agentsSince);
  const allowed = async (): Promise<Allowed> =>
    await root.config().then(
      ({ people, sandbox }) => ({ scripts: atHome(people.scripts), writable: atHome(sandbox.writable) }),
      () => ({ scripts: [], writable: [] }),
    );
  const caller = await identifyCaller(pid, root.layout, since, allowed, others);
  const parent = readKin(pid)?.parent ?? 0;
  if (caller.kind !== 'unshown' || !orParent || parent <= 1) return caller;
  const above = await identifyCaller(parent, root.layout, since, allowed, others);
  return above.kind === 'person' ? above : caller;
}

const atHome = (paths: readonly string[]): readonly string[] => paths.map((path) => expandHome(path, process.env.HOME));

/** Whether a code permits a process to decide; it then belongs to this process. */
export function hasCode({ run }: Layout, code: string | undefined, pid: number | undefined): boolean {
  if (code === undefined || pid === undefined) return false;
  return spendCode(run, code, `${pid}:${readKin(pid)?.started ?? 0}`, systemClock.now());
}

export function makeRefusal(command: string, caller: Exclude<Caller, { kind: 'person' }>, code: string | undefined): Error {
  if (code !== undefined) return unshownError(command, { kind: 'code' });
  return caller.kind === 'inside' ? insideWorkerError(command, caller) : unshownError(command, caller.lacks);
}

/** A script of the user that nobody named is not taken for an agent; a process that cannot be verified is. */
const isMarked = (caller: Caller): boolean => caller.kind === 'inside' || (caller.kind === 'unshown' && caller.lacks.kind === 'unreadable');

const nameWorker = (caller: Caller): string => (caller.kind === 'inside' ? caller.worker : undefined) ?? 'unknown';

function marked(args: unknown, mark: object): unknown {
  return typeof args === 'object' ? { ...args, ...mark } : args;
}
