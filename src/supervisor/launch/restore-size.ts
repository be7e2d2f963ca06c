import type { Config } from '../../config/schema.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** A person who attaches gives the agent's terminal the size of their own. Once they are gone it gets its own back: a small screen cannot be read. */
export async function restoreSize({ store, terminal }: WorkContext, watch: Watch, { pane: size }: Config): Promise<boolean> {
  const { name } = watch;
  const { pane } = watch.tmux;
  if (typeof pane === 'string' || pane.dead || pane.attached) return false;
  if (pane.width === size.width && pane.height === size.height) {
    watch.size = { tried: undefined };
    return false;
  }
  const shown = `${pane.width}×${pane.height}`;
  // Tried already: a person has divided the window, and it cannot be.
  if (watch.size.tried === shown) return false;
  watch.size = { tried: shown };
  store.commit({
    worker: name,
    kind: 'terminal',
    summary: `nobody is attached: its terminal was ${shown}, is ${size.width}×${size.height} again`,
  });
  await terminal.resize(pane.id, size);
  return true;
}
