import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine, shellWord } from '../../base/shell-quote.ts';
import type { Layout } from '../../store/layout.ts';
import { exists, isReachable } from '../../system/files/files.ts';
import { lacksConfig, requireNoRemains } from '../../workers/remains.ts';

export function requireRoot(layout: Layout): void {
  if (exists(layout.config)) return;
  // A root whose config.toml was deleted goes on with the last valid one.
  if (lacksConfig(layout) && exists(layout.validConfig) && exists(join(layout.root, '.git'))) return;
  if (!isReachable(layout.root))
    throw new LlmcError('PERMISSION_DENIED', `${layout.root} is not accessible for this user`, {
      hint: `Check its owner: ${commandLine('ls', '-ld', layout.root)}`,
    });
  requireNoRemains(layout);
  if (lacksConfig(layout))
    throw new LlmcError('ROOT_NOT_FOUND', `${layout.config} is missing`, {
      hint: `Restore it, or write it again from what the root knows: ${commandLine('llmc', 'init', '--target', layout.root)}`,
    });
  throw new LlmcError('ROOT_NOT_FOUND', `${layout.root} is not an llmc root`, {
    hint: `llmc init --source path/to/repository --target ${shellWord(layout.root)}`,
  });
}
