import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { loadAgent } from '../context.ts';
import { missingProgram } from '../missing-program.ts';

/** Returns why the program of an agent cannot be started here, or undefined if it can. */
export function missingAgent(config: Config, agent: string): string | undefined {
  const { command, env } = agentProgram(config, agent);
  const { defaultCommand } = loadAgent(config, agent);
  // The demo agent is part of llmc: its command is a path that Node runs.
  if (command === undefined && defaultCommand.includes('/')) return undefined;
  return missingProgram(command ?? defaultCommand, { path: env['PATH'] ?? process.env['PATH'], cwd: '/' });
}
