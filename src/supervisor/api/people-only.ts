import { LlmcError } from '../../base/error.ts';
import type { Layout } from '../../store/layout.ts';
import { canChallenge } from '../../system/processes/identity.ts';
import { type Inside, sessionAbove } from '../../terminal/session-above.ts';
import type { WorkContext } from '../../workers/context.ts';
import { insideWorkerError } from './inside-worker-error.ts';
import type { Call } from './server.ts';

/** The requests that only a person may make, unless `allow_agents_to_decide` is set; the same as the verbs that decide. */
export const DECISIONS: readonly string[] = [
  ...['answer', 'reject', 'accept', 'dismiss', 'acceptAll', 'undo', 'rebase', 'nuke', 'reset', 'unpark'],
  // A workflow can land by itself, and an agent can write one.
  ...['run', 'decide', 'pause', 'resume', 'abort', 'recover', 'clean'],
];

/** Requests without a verb of their own that only a person may make. A supervisor inside a worker would decide for its agent; a rescue is all that is left of some work. */
const COMMANDS: Readonly<Record<string, string>> = {
  ...{ handOver: 'up --replace', rescuePrune: 'rescue prune', repair: 'doctor --repair' },
  // An agent may put a task into the queue, as it may start one, but the others there are not its own.
  ...{ queueEdit: 'queue edit', queueMove: 'queue move', queueCancel: 'queue cancel' },
  ...{ messageCancel: 'message --cancel', messageEdit: 'message --edit' },
};

/** Requests of everybody in which the caller matters: a review counts only from a person, a message says who sent it, tasks of agents have no precedence. */
const MARKED: readonly string[] = ['review', 'send', 'queueAdd'];

type Caller = Pick<Call, 'name' | 'args' | 'provenPid'>;

/** Refuses a decision from inside a worker. Returns the arguments, with what they must say about their caller. */
export async function admit(context: Pick<WorkContext, 'config' | 'layout'>, call: Caller): Promise<unknown> {
  const { name, args } = call;
  if (!DECISIONS.includes(name) && !Object.hasOwn(COMMANDS, name) && !MARKED.includes(name)) return args;
  const allowed = await context.config().then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  // An agent that may decide still speaks for itself.
  if (allowed && name !== 'send') return args;
  const caller = await identify(call, context.layout);
  if (caller === 'person') return args;
  if (MARKED.includes(name)) return marked(args, name === 'send' ? { from: nameOf(caller) } : { byAgent: true });
  const command = COMMANDS[name] ?? name;
  throw caller === 'unknown' ? unknownCaller(command) : insideWorkerError(command, caller);
}

function marked(args: unknown, mark: object): unknown {
  return typeof args === 'object' ? { ...args, ...mark } : args;
}

function nameOf(caller: Inside | 'unknown'): string {
  return caller === 'unknown' ? 'unknown' : (caller.worker ?? 'unknown');
}

/** What the supervisor runs itself, such as the validation of a landing, runs code of the agents too. */
async function identify(call: Caller, layout: Layout): Promise<Inside | 'person' | 'unknown'> {
  // There, the command checks its own environment.
  if (!canChallenge()) return 'person';
  const pid = await call.provenPid();
  return pid === undefined ? 'unknown' : (sessionAbove(pid, layout, [process.pid]) ?? 'person');
}

function unknownCaller(name: string): LlmcError {
  return new LlmcError(
    'INSIDE_WORKER',
    `"llmc ${name}" is for a person only, and the supervisor cannot verify which process asked for it`,
    {
      hint: 'Use the llmc command, as the user who started the supervisor and on the same machine.',
    },
  );
}
