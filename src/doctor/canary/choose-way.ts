import type { Agent, Environment } from '../../agents/agent.ts';
import { probeProtocol } from '../../agents/probe-protocol.ts';
import { describeCommand } from '../../base/command.ts';
import type { Processes } from '../../base/ports.ts';
import type { Book } from './check-log.ts';
import type { Way } from './stage.ts';

/** What decides how llmc would talk to an agent. */
export interface Speaker {
  readonly agent: Agent;
  readonly command: string;
  readonly channel: 'auto' | 'typing';
  /** What the configuration adds to the user's environment. */
  readonly env: Environment;
}

/** Asked in the user's own environment, as every start of a worker asks; undefined when the program does not answer. */
export async function chooseWay(speaker: Speaker, processes: Processes, book: Book, signal: AbortSignal): Promise<Way | undefined> {
  const { protocol } = speaker.agent;
  if (protocol === undefined || speaker.channel === 'typing') return 'typed';
  const program = { file: speaker.command, env: speaker.env };
  const words = describeCommand({ file: speaker.command, args: protocol.probe });
  const said = await probeProtocol(processes, protocol, program, { signal });
  signal.throwIfAborted();
  const answers = said === 'no answer' ? { failed: `${words} gave no answer` } : { passed: words };
  if (!book.settle('probe', answers)) return undefined;
  const speaks = book.settle('protocol', said === 'spoken' ? { passed: words } : { failed: `${words} does not name it` });
  return speaks ? 'spoken' : 'typed';
}
