import { type Git, type GitCall, read } from './run.ts';

export interface DiffOptions {
  readonly stat?: boolean;
  readonly color?: boolean;
  /** A folder to show before every path. */
  readonly below?: string;
}

/** The user's diff settings (algorithm, prefixes) apply. External viewers do not: their output is not a patch. */
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

/** Prints the changes from `base` to `tip`. Pass the merge base to leave out what main gained since. */
export function diffText(git: Git, at: string, base: string, tip: string, options: DiffOptions = {}): Promise<string> {
  return git.ok(diffCall(at, base, tip, options));
}
