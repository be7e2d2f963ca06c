import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { workerEnvironment } from './launch-plan.ts';

const LONGEST_MS = 20_000;

/** Runs once per program and supervisor, for the first launch that needs it. */
const prepared = new Map<string, Promise<unknown>>();

/** Prepares a CLI before its first launch, when its processes share files that they update at their start. The launch reports a failure here. */
export async function prepareAgent(context: Pick<WorkContext, 'processes' | 'layout'>, config: Config, worker: Worker): Promise<void> {
  const { prepare, defaultCommand } = loadAgent(config, worker.agent);
  // A sandboxed agent has its files to itself, and llmc runs nothing on files that an agent wrote.
  if (prepare === undefined || chooseSettings(config, worker).sandbox !== 'none') return;
  const program = agentProgram(config, worker.agent);
  const file = program.command ?? defaultCommand;
  const env = workerEnvironment(context.layout, config, worker, {});
  const key = JSON.stringify([file, program.env]);
  const run = prepared.get(key) ?? context.processes.run({ file, args: prepare, env }, { timeoutMs: LONGEST_MS });
  prepared.set(key, run);
  await run;
}
