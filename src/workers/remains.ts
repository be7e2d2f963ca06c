import { join } from 'node:path';
import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';
import type { Layout } from '../store/layout.ts';
import { exists } from '../system/files/files.ts';

/** Whether config.toml was deleted from a root: its state is still there. */
export function lacksConfig(layout: Layout): boolean {
  return !exists(layout.config) && (exists(layout.state) || exists(layout.database));
}

/** Throws if a removal of the root was interrupted: without its repository no command can use what is left. */
export function requireNoRemains(layout: Layout): void {
  if (!lacksConfig(layout) || exists(join(layout.root, '.git'))) return;
  throw new LlmcError('ROOT_NOT_FOUND', `${layout.root} holds only remains of an llmc root: config.toml and .git are missing`, {
    hint: `Keep what you need from it, then remove the directory: ${commandLine('rm', '-r', layout.root)}`,
  });
}
