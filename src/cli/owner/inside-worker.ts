import { LlmcError } from '../../base/error.ts';
import { loadConfig } from '../../config/load.ts';
import type { Shell } from '../shell.ts';

/** The worker that runs this command. Undefined for a person, and if `allow_agents_to_decide` is set. */
export async function restrictedWorker(shell: Shell): Promise<string | undefined> {
  const worker = process.env.LLMC_WORKER;
  if (worker === undefined || worker === '') return undefined;
  const allowed = await loadConfig(shell.root).then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  return allowed ? undefined : worker;
}

/** Refuses a command that decides on work if an agent runs it, unless `allow_agents_to_decide` is set. */
export async function refuseInsideWorker(verb: string, shell: Shell): Promise<void> {
  const worker = await restrictedWorker(shell);
  if (worker === undefined) return;
  throw new LlmcError('INSIDE_WORKER', `"llmc ${verb}" is for a person only, and worker ${worker} ran it`, {
    hint: 'Run it in your own terminal, or set [defaults] allow_agents_to_decide = true.',
  });
}
