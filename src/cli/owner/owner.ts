import { LlmcError } from '../../base/error.ts';
import { makeLayout } from '../../store/layout.ts';
import { ask, isSupervised, reachSupervisor } from '../../supervisor/api/client.ts';
import type { ArgsOf, OperationName, ResultOf } from '../../supervisor/api/operations.ts';
import type { QueryArgs, QueryName, QueryResult } from '../../supervisor/api/queries.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { requireOwnSockets } from '../../supervisor/ownership/sockets.ts';
import { whenInterrupted } from '../interruption.ts';
import type { Shell } from '../shell.ts';

const OWNER_PATIENCE_MS = 15_000;

export async function callOwner<Name extends OperationName>(shell: Shell, name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>>;
/** Sends the operation to the supervisor if one runs. Otherwise takes the lock and runs it here, unless it needs the supervisor. */
export async function callOwner(shell: Shell, name: OperationName, args: unknown): Promise<unknown> {
  const answered = await askSupervisor(shell, name, args);
  if (answered !== undefined) return answered.result;
  const { OPERATIONS, runOperation } = await import('../../supervisor/api/operations.ts');
  if (OPERATIONS[name].needsSupervisor) throw notRunning();
  const { openOwnContext } = await import('./own-context.ts');
  using own = await openOwnContext(shell, name, OWNER_PATIENCE_MS);
  const { layout, config, invalidConfig } = own.context;
  const invalid = await invalidConfig().catch(() => undefined);
  if (invalid !== undefined) {
    const { invalidConfigText } = await import('../../config/in-force.ts');
    shell.say(`Warning: ${invalidConfigText(invalid, Date.now())}`);
  }
  const { code } = shell.options;
  const { admitRequest: admit } = await import('../../supervisor/api/people-only.ts');
  const given = await admit({ layout, config }, { name, args, code, provenPid: async () => process.pid }, []);
  return await runOperation(name, own.context, given);
}

export async function askSupervisor<Name extends QueryName>(
  shell: Shell,
  name: Name,
  args: QueryArgs<Name>,
): Promise<{ readonly result: QueryResult<Name> } | undefined>;
export async function askSupervisor(shell: Shell, name: OperationName, args: unknown): Promise<{ readonly result: unknown } | undefined>;
/** Undefined if no supervisor listens. A supervisor of another version refuses, so the answer has the types of this version. */
export async function askSupervisor(shell: Shell, name: string, args: unknown): Promise<{ readonly result: unknown } | undefined> {
  const layout = makeLayout(shell.root);
  requireOwnSockets(layout);
  const socket = await reachSupervisor(layout.apiSocket);
  // Check the root only now: a running supervisor can be asked and stopped even without its config.toml.
  if (socket === undefined) {
    requireRoot(layout);
    return undefined;
  }
  // The supervisor ends what it does for a caller that hangs up.
  using _ = whenInterrupted(() => socket.destroy());
  try {
    return {
      result: await ask(socket, {
        version: shell.options.version,
        name,
        args,
        code: shell.options.code,
        say: shell.say,
        ownerFile: layout.owner,
      }),
    };
  } finally {
    socket.destroy();
  }
}

/** A supervisor listens, and this process cannot ask it anything. */
export const UNANSWERED: readonly string[] = ['SUPERVISOR_SILENT', 'SUPERVISOR_OTHER_VERSION'];

/** Like `askSupervisor`, but calls `silence` and returns undefined if a supervisor listens and does not answer, or is of another version. */
export async function askUnlessSilent<Name extends QueryName>(
  shell: Shell,
  name: Name,
  args: QueryArgs<Name>,
  silence: (error: LlmcError) => void,
): Promise<{ readonly result: QueryResult<Name> } | undefined> {
  try {
    return await askSupervisor(shell, name, args);
  } catch (error) {
    if (!(error instanceof LlmcError) || !UNANSWERED.includes(error.code)) throw error;
    silence(error);
    return undefined;
  }
}

/** Like `askUnlessSilent`, but also undefined if the supervisor stops during the request: the caller can read from disk instead. */
export async function askSupervisorIfAny<Name extends QueryName>(
  shell: Shell,
  name: Name,
  args: QueryArgs<Name>,
  silence: (error: LlmcError) => void,
): Promise<{ readonly result: QueryResult<Name> } | undefined> {
  try {
    return await askUnlessSilent(shell, name, args, silence);
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'SUPERVISOR_FAILED') throw error;
    if (await isSupervised(shell.layout.apiSocket, shell.layout.owner)) throw error;
    return undefined;
  }
}

export function notRunning(): LlmcError {
  return new LlmcError('SUPERVISOR_NOT_RUNNING', 'no supervisor is running for this root', { hint: 'llmc up --detach' });
}
