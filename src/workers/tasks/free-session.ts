import { LlmcError } from '../../base/error.ts';
import type { WorkContext } from '../context.ts';

/** A try of one worker can have the name of another: `swarm-dev` in its second try with codex, and a role `dev-codex`. */
export function requireFreeSession({ store }: Pick<WorkContext, 'store'>, name: string, session: string): void {
  const other = Object.values(store.state.workers).find((worker) => worker.name !== name && worker.session_id === session);
  if (other === undefined) return;
  throw new LlmcError('SESSION_EXISTS', `the session ${session} belongs to ${other.name}`, { hint: `llmc why ${other.name}` });
}
