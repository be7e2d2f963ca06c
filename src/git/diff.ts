import { type Git, type GitCall, read } from './run.ts';

export interface DiffOptions {
  readonly stat?: boolean;
  readonly color?: boolean;
  /** A folder to show before every path. */
  readonly below?: string;
}

/** The user's own diff settings (algorithm, prefixes) apply; external viewers do not, their output is not a patch. */
const diffCall = (at: string, base: string, tip: string, options: DiffOptions = {}): GitCall =>
  read(
    at,
    'diff',
    '--no-ext-diff',
    options.color ? '--color=always' : '--no-color',
    ...(options.stat ? ['--stat'] : []),
    ...(options.below === undefined ? [] : [`--src-prefix=a/${options.below}/`, `--dst-prefix=b/${options.below}/`]),
    base,
    tip,
    '--',
  );

/** What `tip` holds beyond `base`; pass the merge base to leave out what main gained meanwhile. */
export function diffText(git: Git, at: string, base: string, tip: string, options: DiffOptions = {}): Promise<string> {
  return git.ok(diffCall(at, base, tip, options));
}
