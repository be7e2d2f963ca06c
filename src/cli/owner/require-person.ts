import { hasCode, identify, makeRefusal } from '../../supervisor/api/people-only.ts';
import { canChallenge } from '../../system/processes/identity.ts';
import { hasTerminal } from '../../system/processes/interactive.ts';
import { readProgram } from '../../system/processes/origin.ts';
import type { Caller } from '../../terminal/person.ts';
import type { Shell } from '../shell.ts';

type NotShown = Exclude<Caller, { kind: 'person' }>;

/**
 * Undefined if a person is shown to run this command, or if config.toml lets agents decide. A running supervisor checks its callers
 * itself; without one, this is the check.
 */
export async function unlessPerson(shell: Shell, orParent = false): Promise<NotShown | undefined> {
  const caller = await callerHere(shell, orParent);
  if (caller.kind === 'person') return undefined;
  if (caller.kind === 'inside') return (await allowsAgents(shell).catch(() => false)) ? undefined : caller;
  // A config.toml that cannot be read names no script: that is the reason to give.
  return (await allowsAgents(shell)) ? undefined : caller;
}

/** Refuses a command that decides, unless a person is shown to run it or has given it a code. `orParent`: the command that started this one counts. */
export async function requirePerson(verb: string, shell: Shell, orParent = false): Promise<void> {
  if (hasCode(shell.layout, shell.options.code, process.pid)) return;
  const caller = await unlessPerson(shell, orParent);
  if (caller === undefined) return;
  throw makeRefusal(verb, caller, shell.options.code);
}

/** Refuses a command that is for a person at a terminal: neither a script nor a code will do. */
export async function requireTerminal(verb: string, shell: Shell): Promise<void> {
  const caller = await callerHere(shell, false);
  if (caller.kind === 'person' && caller.by === 'terminal') return;
  throw makeRefusal(verb, caller.kind === 'person' ? { kind: 'unshown', lacks: { kind: 'no_terminal' } } : caller, undefined);
}

async function callerHere(shell: Shell, orParent: boolean): Promise<Caller> {
  const named = process.env.LLMC_WORKER;
  if (named) return { kind: 'inside', worker: named };
  if (canChallenge()) {
    // A command that owns the root runs lines of config.toml, and they run code of agents.
    const { readOwner } = await import('../../supervisor/ownership/owner-file.ts');
    const owner = readOwner(shell.layout.owner)?.pid;
    // Its number may be that of another process by now.
    const isOther = owner !== undefined && owner !== process.pid && readProgram(owner) === readProgram(process.pid);
    const others = isOther ? [owner] : [];
    return await identify({ layout: shell.layout, config: () => readConfig(shell) }, process.pid, others, orParent);
  }
  // A Linux that hides /proc hides all evidence. macOS has no /proc, and a controlling terminal that can be opened is what there is.
  if (process.platform === 'linux') return { kind: 'unshown', lacks: { kind: 'unreadable' } };
  return hasTerminal() ? { kind: 'person', by: 'terminal' } : { kind: 'unshown', lacks: { kind: 'no_terminal' } };
}

const allowsAgents = async (shell: Shell): Promise<boolean> => (await readConfig(shell)).defaults.allowAgentsToDecide;

/** Imported late: the schema takes longer to load than most commands run. */
async function readConfig(shell: Shell) {
  const { loadConfigInForce } = await import('../../config/in-force.ts');
  return (await loadConfigInForce(shell.root)).config;
}
