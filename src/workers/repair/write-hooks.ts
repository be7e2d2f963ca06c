import { join } from 'node:path';
import { showToAgent } from '../../sandbox/agent-user.ts';
import { loadAgent, type WorkContext } from '../context.ts';

const LARGEST = 1_000_000;

/** Writes the files again through which the agent of a worker reports. Its CLI runs the hooks from them each time, so they work at once. */
export async function writeHooks(context: WorkContext, name: string): Promise<readonly string[]> {
  const { layout, store, files, locks } = context;
  return await locks.withLock(name, async () => {
    const { hookFiles = {} } = loadAgent(await context.config(), store.worker(name).agent);
    const scratch = layout.scratch(name);
    const changed = Object.entries(hookFiles).filter(([file, content]) => files.readForeign(join(scratch, file), LARGEST) !== content);
    if (changed.length === 0) return [];
    for (const [file, content] of changed) {
      files.writePrivate(join(scratch, file), content);
      showToAgent(layout, name, join(scratch, file));
    }
    const summary = `its hooks were written again: ${changed.map(([file]) => file).join(', ')}`;
    store.commit({ worker: name, kind: 'repair', summary });
    return [`${name}: ${summary}`];
  });
}
