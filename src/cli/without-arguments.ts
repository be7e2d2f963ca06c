import { join } from 'node:path';
import { exists } from '../system/files/files.ts';
import type { RootHere } from './roots/root-here.ts';
import { listWords } from './unknown-verb.ts';

/**
 * What `llmc` without a command means. On a terminal the view, which offers a root to a repository that has none; outside any
 * repository and without `~/llmc`, the view of all roots together, or the hint of `llmc roots` if there is none. Without a terminal,
 * help, or the error of a missing root. Returns the words to run.
 */
export function withCommand(argv: readonly string[], here: RootHere, isTerminal: boolean, hasRoots: () => boolean): readonly string[] {
  if (listWords(argv).length > 0 || argv.some((word) => ASKS.includes(word))) return argv;
  if (here.kind === 'missing') return [isTerminal ? 'ui' : 'status', ...argv];
  if (!isTerminal) return ['help'];
  if (here.kind === 'outside') return hasRoots() ? ['ui', '--all', ...argv] : ['roots', ...argv];
  return exists(join(here.root, 'config.toml')) ? ['ui', ...argv] : ['help'];
}

const ASKS: readonly string[] = ['--help', '-h', '--version', '-V', '--json'];
