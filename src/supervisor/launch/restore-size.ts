import type { Config } from '../../config/schema.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** A person who attaches resizes the agent's terminal to their own. llmc restores the size once they have detached: it cannot read a small screen. */
export async function restoreSize({ store, terminal }: WorkContext, watch: Watch, { pane: size }: Config): Promise<boolean> {
  const { name } = watch;
  const { pane } = watch.tmux;
  if (typeof pane === 'string' || pane.dead || pane.attached) return false;
  if (pane.width === size.width && pane.height === size.height) {
    watch.size = { tried: undefined };
    return false;
  }
  const shown = `${pane.width}×${pane.height}`;
  // llmc tried already: a person split the window, so the size cannot be restored.
  if (watch.size.tried === shown) return false;
  watch.size = { tried: shown };
  store.commit({
    worker: name,
    kind: 'terminal',
    summary: `no person is attached: terminal size restored from ${shown} to ${size.width}×${size.height}`,
  });
  await terminal.resize(pane.id, size);
  return true;
}
