import type { Agent, Environment } from '../../agents/agent.ts';
import { probeProtocol } from '../../agents/probe-protocol.ts';
import { describeCommand } from '../../base/command.ts';
import type { Processes } from '../../base/ports.ts';
import type { CheckLog } from './check-log.ts';
import type { ChannelUsed } from './stage.ts';

/** The facts that decide which channel llmc would use. */
export interface ChannelChoice {
  readonly agent: Agent;
  readonly command: string;
  readonly channel: 'auto' | 'typing';
  /** Added to the user's environment, from the configuration. */
  readonly env: Environment;
}

/** Asks the program in the user's own environment, as every start of a worker does; undefined if it does not answer. */
export async function chooseChannel(
  choice: ChannelChoice,
  processes: Processes,
  log: CheckLog,
  signal: AbortSignal,
): Promise<ChannelUsed | undefined> {
  const { protocol } = choice.agent;
  if (protocol === undefined || choice.channel === 'typing') return 'keyboard';
  const program = { file: choice.command, env: choice.env };
  const words = describeCommand({ file: choice.command, args: protocol.probe });
  const said = await probeProtocol(processes, protocol, program, { signal });
  signal.throwIfAborted();
  const answers = said === 'no_answer' ? { failed: `${words} gave no answer` } : { passed: words };
  if (!log.settle('probe', answers)) return undefined;
  const hasProtocol = log.settle('protocol', said === 'supported' ? { passed: words } : { failed: `${words} does not name it` });
  return hasProtocol ? 'protocol' : 'keyboard';
}
