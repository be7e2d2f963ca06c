import type { Environment } from '../../agents/agent.ts';
import type { Login } from '../../agents/login.ts';
import { agentProgram } from '../../config/agent-program.ts';
import { type Check, type DoctorContext, ok, warning } from '../check.ts';
import { withConfig } from '../needs.ts';
import { usedAgents } from '../used-agents.ts';

/** Whether every agent in use has a login. Without one, it asks a person at its start, in the night. No login is read. */
export const loginsCheck: Check = {
  name: 'logins',
  run: (context) =>
    withConfig(context, async (config) => {
      const asked = usedAgents(config).map(async (name) => {
        const { adapter, env, declaration } = agentProgram(config, name);
        const login = declaration === undefined ? context.adapterOf(adapter)?.login : undefined;
        return { name, login, found: login === undefined || (await isThere(context, login, { ...context.env, ...env })) };
      });
      const agents = await Promise.all(asked);
      const missing = agents.filter(({ found }) => !found);
      const [first] = missing;
      if (first === undefined) return ok(agents.some(({ login }) => login !== undefined) ? 'every agent has one' : 'no agent needs one');
      return warning(`no login found for ${missing.map(({ name }) => name).join(', ')}`, first.login?.command);
    }),
};

async function isThere({ exists, readText, processes }: DoctorContext, login: Login, env: Environment): Promise<boolean> {
  if (login.variables.some((name) => (env[name] ?? '') !== '')) return true;
  for (const file of login.files(env)) if (await exists(file)) return true;
  const { settings, keychain } = login;
  if (settings?.nameLogin(readText(settings.path(env)) ?? '') === true) return true;
  if (keychain === undefined) return false;
  // Without -g or -w it prints no secret and opens no dialog. Other systems have no such program.
  const { outcome } = await processes.run({ file: 'security', args: ['find-generic-password', '-s', keychain], stdin: '' });
  return outcome.kind === 'exited' && outcome.status === 0;
}
