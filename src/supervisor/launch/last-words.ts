import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** More than a screen of an error message; the log keeps it with the exit. */
const MOST_LINES = 40;

/**
 * The text that an agent left on its screen when its process ended. tmux is asked first: an agent that ends at once was never
 * observed alive, and tmux keeps the pane of a dead program (remain-on-exit) until the next launch.
 */
export async function lastWords({ store, terminal }: Pick<WorkContext, 'store' | 'terminal'>, watch: Watch): Promise<string> {
  const gone = typeof watch.tmux.pane === 'string';
  const lines = gone ? undefined : await terminal.lastOutput(store.worker(watch.name).session_id).catch(() => undefined);
  const text = lines?.join('\n').trim() ?? '';
  return (text === '' ? (watch.screen.capture?.screen.lines ?? []).join('\n') : text).trim().split('\n').slice(-MOST_LINES).join('\n');
}
