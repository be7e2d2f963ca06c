import { join } from 'node:path';
import type { Pane, ScratchTmux } from './scratch-tmux.ts';

/** A root that a view can be opened on. */
export interface Opened {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

export const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

export interface OpenView extends Pane {
  /** Waits until a row of the screen matches. */
  shows(pattern: RegExp): Promise<void>;
  /** Waits until no row of the screen matches. */
  lacks(pattern: RegExp): Promise<void>;
  /** Waits until the work on the screen counts as seen: a key that comes too soon after the work appeared is refused. */
  sees(worker: string): Promise<void>;
  /** Accepts the work on the screen, once it counts as seen. */
  accept(worker: string): Promise<void>;
}

/** The view in a person's shell, so that what it leaves behind can be looked at. */
export async function openView(outside: ScratchTmux, world: Opened, name = 'view', size = { width: 120, height: 40 }): Promise<OpenView> {
  const shell = ['sh', '-c', `echo before; ${process.execPath} ${COMMAND} "$@"; echo "status $?"; exec sh`, 'sh'] as const;
  const pane = await outside.start({ name, argv: [...shell], cwd: world.dir, env: world.env, ...size });
  const waitFor = async (pattern: RegExp, isThere: boolean) =>
    void (await pane.waitFor(`${isThere ? '' : 'no '}${pattern}`, ({ lines }) => lines.some((line) => pattern.test(line)) === isThere));
  const sees = async (worker: string) => {
    // A key without a meaning: nothing counts as seen by a person who has pressed none for 30 s, and a slow machine takes that long.
    await pane.keys('Z');
    await waitFor(new RegExp(`${worker} +to review`), true);
  };
  const accept = async (worker: string) => {
    await sees(worker);
    await pane.keys('a');
  };
  return { ...pane, sees, accept, shows: (pattern) => waitFor(pattern, true), lacks: (pattern) => waitFor(pattern, false) };
}
