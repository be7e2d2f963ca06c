import { join } from 'node:path';
import { exists } from '../system/files/files.ts';
import { wordsOf } from './unknown-verb.ts';

/** What `llmc` without a command means: the view on a terminal with a root, else help. Returns the words to run. */
export function withCommand(argv: readonly string[], root: string, isTerminal: boolean): readonly string[] {
  if (wordsOf(argv).length > 0 || argv.some((word) => ASKS.includes(word))) return argv;
  return isTerminal && exists(join(root, 'config.toml')) ? ['ui', ...argv] : ['help'];
}

const ASKS: readonly string[] = ['--help', '-h', '--version', '-V', '--json'];
