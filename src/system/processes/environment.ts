import type { Command } from '../../base/command.ts';

/** This process's environment with a command's changes; `undefined` removes a name. */
export function environment(changes: Command['env']): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const [name, value] of Object.entries(changes ?? {})) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}
