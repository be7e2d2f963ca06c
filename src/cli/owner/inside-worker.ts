import { LlmcError } from '../../base/error.ts';
import { loadConfig } from '../../config/load.ts';
import type { Shell } from '../shell.ts';

/** The worker this command was typed in. Undefined for a person, and where the user lets agents decide. */
export async function undecidingWorker(shell: Shell): Promise<string | undefined> {
  const worker = process.env.LLMC_WORKER;
  if (worker === undefined || worker === '') return undefined;
  const allowed = await loadConfig(shell.root).then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  return allowed ? undefined : worker;
}

/** An agent is not a person: it may not decide on its own work, unless the user allows it. */
export async function refuseInsideWorker(verb: string, shell: Shell): Promise<void> {
  const worker = await undecidingWorker(shell);
  if (worker === undefined) return;
  throw new LlmcError('INSIDE_WORKER', `"llmc ${verb}" is a decision for a person, and this is worker ${worker}`, {
    hint: 'Run it in your own terminal, or set [defaults] allow_agents_to_decide = true.',
  });
}
