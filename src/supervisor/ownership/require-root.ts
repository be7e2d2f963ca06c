import { LlmcError } from '../../base/error.ts';
import { commandLine, shellWord } from '../../base/shell-quote.ts';
import type { Layout } from '../../store/layout.ts';
import { exists, isReachable } from '../../system/files/files.ts';

export function requireRoot(layout: Layout): void {
  if (exists(layout.config)) return;
  if (!isReachable(layout.root))
    throw new LlmcError('PERMISSION_DENIED', `${layout.root} may not be entered by this user`, {
      hint: `See whose it is: ${commandLine('ls', '-ld', layout.root)}`,
    });
  if (exists(layout.state) || exists(layout.database))
    throw new LlmcError('ROOT_NOT_FOUND', `${layout.config} is missing`, {
      hint: 'Put it back; it needs no more than [repo] with source = "<repository>" and a table [workers.<name>] per worker.',
    });
  throw new LlmcError('ROOT_NOT_FOUND', `${layout.root} is not an llmc root`, {
    hint: `llmc init --source <repository> --target ${shellWord(layout.root)}`,
  });
}
