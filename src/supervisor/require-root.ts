import { LlmcError } from '../base/error.ts';
import type { Layout } from '../store/layout.ts';
import { exists } from '../system/files.ts';

export function requireRoot(layout: Layout): void {
  if (exists(layout.config)) return;
  throw new LlmcError('ROOT_NOT_FOUND', `${layout.root} is not an llmc root`, {
    hint: `llmc init --source <repository> --target ${layout.root}`,
  });
}
