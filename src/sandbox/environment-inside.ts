import type { Environment } from '../agents/agent.ts';
import type { ConfigFolder } from '../agents/config-folder.ts';
import type { Layout } from '../store/layout.ts';
import { userEnvironment, userOf } from './agent-user.ts';
import { sandboxEnvironment } from './agent-view.ts';

/** What the environment of a sandboxed agent says in place of that of llmc; undefined for a variable that it does not have. */
export function environmentInside(layout: Layout, worker: string, configFolder: ConfigFolder | undefined): Environment {
  const user = userOf(layout, worker);
  return user === undefined ? sandboxEnvironment(layout, worker, configFolder) : userEnvironment(user, configFolder);
}
