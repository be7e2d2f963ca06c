import { LlmcError } from '../../base/error.ts';
import { readConfigLeniently } from '../../config/read-config-leniently.ts';
import { readTextIfThere } from '../../system/files/files.ts';
import type { Shell } from '../shell.ts';

export const INTERFACES = ['diff', 'difftastic', 'vscode'] as const;
/** `best`: difftastic, where it is installed and shows all that the diff shows. */
export type Interface = (typeof INTERFACES)[number] | 'best';

const known = (word: string | undefined): Interface | undefined => INTERFACES.find((one) => one === word);

/** The requested viewer; else that of config.toml; else the best one. A script that requests none reads the plain diff. */
export function interfaceFor(
  shell: Pick<Shell, 'isInteractive' | 'layout'>,
  requested: string | undefined,
  ignoresWhitespace: boolean,
): Interface {
  if (requested !== undefined) return known(requested) ?? refuse(requested);
  // difftastic compares the files again, with their white space.
  if (!shell.isInteractive || ignoresWhitespace) return 'diff';
  return known(readConfigLeniently(readTextIfThere(shell.layout.config) ?? '').reviewInterface) ?? 'best';
}

function refuse(word: string): never {
  throw new LlmcError('INVALID_ARGUMENT', `there is no interface "${word}"`, { hint: `Use one of: ${INTERFACES.join(', ')}.` });
}
