import { LlmcError } from '../base/error.ts';
import { loadConfig } from '../config/load.ts';
import type { Shell } from './shell.ts';

/** An agent is not a person: it may not decide on its own work, unless the user allows it. */
export async function refuseInsideWorker(verb: string, shell: Shell): Promise<void> {
  const worker = process.env.LLMC_WORKER;
  if (worker === undefined || worker === '') return;
  const allowed = await loadConfig(shell.root).then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  if (allowed) return;
  throw new LlmcError('INSIDE_WORKER', `"llmc ${verb}" is a decision for a person, and this is worker ${worker}`, {
    hint: 'Run it in your own terminal, or set [defaults] allow_agents_to_decide = true.',
  });
}
