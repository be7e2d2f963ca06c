import { LlmcError } from '../../base/error.ts';
import type { Layout } from '../../store/layout.ts';
import { canChallenge } from '../../system/processes/identity.ts';
import { type Inside, sessionAbove } from '../../terminal/session-above.ts';
import type { WorkContext } from '../../workers/context.ts';
import { insideWorkerError } from './inside-worker-error.ts';
import type { Call } from './server.ts';

/** The requests that only a person may make, unless `allow_agents_to_decide` is set; the same as the verbs that decide. */
export const DECISIONS: readonly string[] = ['answer', 'reject', 'accept', 'acceptAll', 'undo', 'rebase', 'nuke', 'reset', 'unpark'];

/** Requests without a verb of their own that only a person may make. A supervisor inside a worker would decide for its agent; a rescue is all that is left of some work. */
const COMMANDS: Readonly<Record<string, string>> = { handOver: 'up --replace', rescuePrune: 'rescue prune', repair: 'doctor --repair' };

/** Refuses a decision from inside a worker. Returns the arguments; those of a review say whether it counts. */
export async function admit(context: Pick<WorkContext, 'config' | 'layout'>, call: Call): Promise<unknown> {
  const { name, args } = call;
  if (!DECISIONS.includes(name) && !Object.hasOwn(COMMANDS, name) && name !== 'review') return args;
  const allowed = await context.config().then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  if (allowed) return args;
  const caller = await identify(call, context.layout);
  if (caller === 'person') return args;
  if (name === 'review') return typeof args === 'object' ? { ...args, byAgent: true } : args;
  const command = COMMANDS[name] ?? name;
  throw caller === 'unknown' ? unknownCaller(command) : insideWorkerError(command, caller);
}

/** What the supervisor runs itself, such as the validation of a landing, runs code of the agents too. */
async function identify(call: Call, layout: Layout): Promise<Inside | 'person' | 'unknown'> {
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
