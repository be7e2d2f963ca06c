import type { Processes, RunOptions } from '../base/ports.ts';
import type { Environment } from './agent.ts';
import type { Protocol } from './protocol.ts';

const PROBE_MS = 10_000;

/** Asks the installed program whether it supports its adapter's protocol. After 'no_answer' it may still support it. */
export async function probeProtocol(
  processes: Processes,
  protocol: Pick<Protocol, 'probe' | 'isSupported'>,
  program: { readonly file: string; readonly env: Environment },
  options: Pick<RunOptions, 'signal'> = {},
): Promise<'supported' | 'not_supported' | 'no_answer'> {
  const { outcome, stdout, stderr } = await processes.run({ ...program, args: protocol.probe }, { ...options, timeoutMs: PROBE_MS });
  if (outcome.kind === 'timeout') return 'no_answer';
  return protocol.isSupported(`${stdout}\n${stderr}`) ? 'supported' : 'not_supported';
}
