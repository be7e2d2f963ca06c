import type { Environment } from '../agents/agent.ts';
import type { ConfigFolder } from '../agents/config-folder.ts';
import type { Layout } from '../store/layout.ts';
import { readAgentUser, userEnvironment } from './agent-user.ts';
import { sandboxEnvironment } from './agent-view.ts';

/** What the environment of a sandboxed agent says in place of that of llmc; undefined for a variable that it does not have. */
export function environmentInside(layout: Layout, worker: string, configFolder: ConfigFolder | undefined): Environment {
  const user = readAgentUser(layout, worker);
  return user === undefined ? sandboxEnvironment(layout, worker, configFolder) : userEnvironment(user, configFolder);
}

/** What a program needs to run at all, and nothing that is a secret. */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|COLORTERM|IS_SANDBOX|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|XDG_(?:CONFIG|DATA|CACHE|STATE)_HOME)$/;

/** Of an environment, what `[sandbox] environment` lets into a sandbox; without a list, all of it. */
export function listedEnvironment(env: Environment, listed: readonly string[] | undefined): Environment {
  if (listed === undefined) return env;
  // Undefined, because a process that llmc starts inherits what its environment leaves out.
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, NEEDED.test(name) || listed.includes(name) ? value : undefined]),
  );
}
