import { probeProtocol } from '../../agents/probe-protocol.ts';
import { LlmcError } from '../../base/error.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { workerEnvironment } from './launch-plan.ts';

/** Cached per program while the supervisor runs: an update of the program takes effect after the next `llmc up`. */
const answers = new Map<string, Promise<boolean>>();

/** Whether a worker's agent uses the protocol channel: its adapter has one, the user allows it, and the installed program supports it. */
export async function usesProtocol(context: Pick<WorkContext, 'processes' | 'layout'>, config: Config, worker: Worker): Promise<boolean> {
  const { protocol, defaultCommand } = loadAgent(config, worker.agent);
  const program = agentProgram(config, worker.agent);
  if (protocol === undefined || program.channel === 'typing') return false;
  // llmc, as root, would have to trust a socket that an agent puts in place.
  if (chooseSettings(config, worker).sandbox === 'user') return false;
  const file = program.command ?? defaultCommand;
  const env = workerEnvironment(context.layout, config, worker, {});
  const known = answers.get(file);
  if (known !== undefined) return await known;
  const asked = probeProtocol(context.processes, protocol, { file, env }).then((answer) => {
    // Do not fall back to typing: the other channel cannot resume the conversation.
    if (answer === 'no_answer')
      throw new LlmcError('AGENT_SPAWN_FAILED', `${file} ${protocol.probe.join(' ')} does not answer`, {
        hint: 'llmc tries again; or set channel = "typing" in its [agents.…] table.',
      });
    return answer === 'supported';
  });
  answers.set(file, asked);
  // Ask again later: the program may not be installed yet, or may hang.
  const answer = await asked.catch((error: unknown) => {
    answers.delete(file);
    throw error;
  });
  if (!answer) answers.delete(file);
  return answer;
}
