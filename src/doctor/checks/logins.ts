import type { Environment } from '../../agents/agent.ts';
import type { Login } from '../../agents/login.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { agentProgram } from '../../config/agent-program.ts';
import { type Check, type DoctorContext, ok, warning } from '../check.ts';
import { withConfig } from '../needs.ts';
import { usedAgents } from '../used-agents.ts';

const KEYCHAIN_MS = 5_000;

/** Whether every agent in use has a login. Without one, it asks a person at its start, in the night. No login is read. */
export const loginsCheck: Check = {
  name: 'logins',
  run: (context) =>
    withConfig(context, async (config) => {
      const asked = usedAgents(config).map(async (name) => {
        const { adapter, env, declaration } = agentProgram(config, name);
        const { login, configFolder } = (declaration === undefined ? context.adapterOf(adapter) : undefined) ?? {};
        const found = login === undefined || (await isThere(context, login, { ...context.env, ...env }));
        return { name, login, found, folder: toEnvPrefix(env, configFolder?.variable) };
      });
      const agents = await Promise.all(asked);
      const missing = agents.filter(({ found }) => !found);
      if (missing.length === 0) return ok(agents.some(({ login }) => login !== undefined) ? 'every agent has one' : 'no agent needs one');
      const hints = missing.flatMap(({ login, folder }) => (login === undefined ? [] : `${folder}${login.command}`));
      return warning(`no login found for ${missing.map(({ name }) => name).join(', ')}`, [...new Set(hints)].join('; '));
    }),
};

/** An account of its own has a folder of its own: without it, the command would log in elsewhere. */
function toEnvPrefix(env: Environment, variable: string | undefined): string {
  const folder = variable === undefined ? undefined : env[variable];
  return folder === undefined ? '' : `${commandLine('env', `${variable}=${folder}`)} `;
}

async function isThere({ exists, readText, processes }: DoctorContext, login: Login, env: Environment): Promise<boolean> {
  if (login.variables.some((name) => (env[name] ?? '') !== '')) return true;
  for (const file of login.files(env)) if (await exists(file)) return true;
  const { settings, keychain } = login;
  if (settings?.nameLogin(readText(settings.path(env)) ?? '') === true) return true;
  if (keychain === undefined) return false;
  // Without -g or -w it prints no secret and opens no dialog. By its path: on other systems a program of this name is another one.
  const { outcome } = await processes.run(
    { file: '/usr/bin/security', args: ['find-generic-password', '-s', keychain], stdin: '' },
    { timeoutMs: KEYCHAIN_MS },
  );
  return outcome.kind === 'exited' && outcome.status === 0;
}
