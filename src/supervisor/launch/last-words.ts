import { basename, dirname, join } from 'node:path';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** More than a screen of an error message; the log keeps it with the exit. */
const MOST_LINES = 40;
const BLANK_ROWS = /\n(?:[ \t]*\n){2,}/g;

/**
 * The text that an agent left on its screen when its process ended. tmux is asked first: an agent that ends at once was never
 * observed alive, and tmux keeps the pane of a dead program (remain-on-exit) until the next launch.
 */
export async function lastWords(
  { store, terminal }: Pick<WorkContext, 'store'> & { readonly terminal: Pick<WorkContext['terminal'], 'lastOutput'> },
  watch: Watch,
): Promise<string> {
  const gone = typeof watch.tmux.pane === 'string';
  const lines = gone ? undefined : await terminal.lastOutput(store.worker(watch.name).session_id).catch(() => undefined);
  const text = lines?.join('\n').trim() ?? '';
  const shown = (text === '' ? (watch.screen.capture?.screen.lines ?? []).join('\n') : text).trim();
  // An agent that draws the whole screen leaves blank rows between its text and its box.
  return shown.replace(BLANK_ROWS, '\n\n').split('\n').slice(-MOST_LINES).join('\n');
}

/** Kept per worker: enough for every crash of a row. */
const SCREENS_KEPT = 5;
/** The folder also holds the logs of all workers. */
const MOST_NAMES = 10_000;

/**
 * Writes the last screen of an agent that ended to a private file, and removes the oldest ones. Undefined for an empty screen, and for
 * one that cannot be written: what follows the end of an agent must not depend on a full disk.
 */
export function saveScreen(
  { layout, files, clock }: Pick<WorkContext, 'layout' | 'files' | 'clock'>,
  name: string,
  words: string,
): string | undefined {
  if (words === '') return undefined;
  const when = new Date(clock.now()).toISOString().replace(/[-:]/g, '');
  const path = layout.lastScreen(name, when);
  try {
    files.writePrivate(path, `${words}\n`);
  } catch {
    return undefined;
  }
  try {
    removeOldest(files, path, when);
  } catch {
    // The next screen tries it again.
  }
  return path;
}

/** Never the screen just written: after the clock was set back, its name is the oldest. */
function removeOldest(files: WorkContext['files'], written: string, when: string): void {
  const [before = ''] = basename(written).split(when);
  const folder = dirname(written);
  const others = files.names(folder, MOST_NAMES).filter((file) => file.startsWith(before) && file !== basename(written));
  for (const old of others.toSorted().slice(0, 1 - SCREENS_KEPT)) files.remove(join(folder, old));
}
