import type { Processes, RunOptions } from '../base/ports.ts';
import type { Environment } from './agent.ts';
import type { Protocol } from './protocol.ts';

const PROBE_MS = 10_000;

/** Asks the installed program whether it has its adapter's protocol. 'no answer' does not mean 'no protocol'. */
export async function probeProtocol(
  processes: Processes,
  protocol: Pick<Protocol, 'probe' | 'isSupported'>,
  program: { readonly file: string; readonly env: Environment },
  options: Pick<RunOptions, 'signal'> = {},
): Promise<'protocol' | 'no protocol' | 'no answer'> {
  const { outcome, stdout, stderr } = await processes.run({ ...program, args: protocol.probe }, { ...options, timeoutMs: PROBE_MS });
  if (outcome.kind === 'timeout') return 'no answer';
  return protocol.isSupported(`${stdout}\n${stderr}`) ? 'protocol' : 'no protocol';
}
