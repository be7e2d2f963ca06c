import type { Finished } from '../base/ports.ts';
import { type ChangedFile, parseChangedFiles } from './changed-files.ts';
import { type ObjectView, openObjectView } from './object-view.ts';
import { countSections, type Section, splitSections } from './patch-sections.ts';
import { type Git, type GitCall, gitCommand, gitFailed, toAnswer } from './run.ts';

export interface Change {
  readonly files: readonly ChangedFile[];
  /** One line per file, however many there are. */
  readonly stat: string;
  /** The diff, file by file. */
  readonly sections: readonly Section[];
  /** The files whose lines are left out, because the diff would be too long. */
  readonly omitted: readonly string[];
}

export interface DiffOptions {
  /** A folder to show before every path. */
  readonly below?: string;
}

export interface ChangeOptions {
  /** The longest diff, in characters. */
  readonly longest?: number | undefined;
  /** Lines that differ only in white space count as equal. */
  readonly ignoreWhitespace?: boolean | undefined;
}

/** More than a person reads. The supervisor searches it for tricks, which takes up to a second (measured with hostile lines). */
const LONGEST_DIFF = 4 * 1024 * 1024;
const TIMEOUT_MS = 600_000;
/** Git then prints no lines of larger files. Set when the output was cut: one huge file must not hide the files after it. */
const SMALL_FILES_ONLY = ['-c', 'core.bigFileThreshold=64k'] as const;

/** Nothing may hide a file or run a program; submodules are hashes, whose repositories are not entered. */
const HONEST = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--ignore-submodules=none'] as const;

/** Whole names: git cuts them to 80 columns otherwise. */
const STAT = ['--stat=5000,4500', '--stat-graph-width=40'] as const;

/** The files, the statistics and the patch, in this order. With `-z`, a zero byte is before the patch, and names in it are quoted nevertheless. */
const LIST = ['--raw', '--numstat', '-z', '--no-abbrev'] as const;

const changeCall = (view: View, base: string, tip: string, ignoreWhitespace: boolean, settings: readonly string[] = []): GitCall => {
  const space = ignoreWhitespace ? ['--ignore-all-space'] : [];
  return view.call(...settings, 'diff', ...HONEST, ...LIST, ...STAT, ...space, '--patch', '--end-of-options', base, tip, '--');
};
const belowCall = (view: ObjectView, base: string, tip: string, { below }: DiffOptions): GitCall =>
  view.call(
    'diff',
    ...HONEST,
    ...(below === undefined ? [] : [`--src-prefix=a/${below}/`, `--dst-prefix=b/${below}/`]),
    '--end-of-options',
    base,
    tip,
    '--',
  );

/**
 * Reads what changes from `base` to `tip`, both hashes of commits in the root. Pass the merge base to leave out what main gained
 * since. The user's diff settings (algorithm, prefixes) apply, those of the root and its worktrees do not.
 */
export async function readChange(git: Git, root: string, base: string, tip: string, options: ChangeOptions = {}): Promise<Change> {
  await using view = await openObjectView(root, base);
  return await changeIn(view, base, tip, options, (call) => git.processes.run(gitCommand(call), { timeoutMs: TIMEOUT_MS }));
}

/** The files of the same change, without its lines. */
export async function readChangedFiles(git: Git, root: string, base: string, tip: string): Promise<readonly ChangedFile[]> {
  await using view = await openObjectView(root, base);
  return parseChangedFiles(await git.ok(view.call('diff', ...HONEST, ...LIST, '--end-of-options', base, tip, '--'))).files;
}

type View = Pick<ObjectView, 'call'>;
type Run = (call: GitCall) => Promise<Finished>;

/** The same in an open view, by other means. `tip` may be a tree. */
export async function changeIn(view: View, base: string, tip: string, options: ChangeOptions, run: Run): Promise<Change> {
  const { longest = LONGEST_DIFF, ignoreWhitespace = false } = options;
  const first = await printedBy(run, changeCall(view, base, tip, ignoreWhitespace));
  const printed = first.isCut ? await printedBy(run, changeCall(view, base, tip, ignoreWhitespace, SMALL_FILES_ONLY)) : first;
  const { files } = first;
  const { stat } = printed;
  const sections = splitSections(printed.patch, files);
  if (printed.isCut) sections.pop();
  const shown = thatFit(sections.filter(hasItsLines), longest);
  const counts = Map.groupBy(shown, ({ file }) => file);
  const isWhole = (file: ChangedFile) => (counts.get(file)?.length ?? 0) === countSections(file);
  return { files, stat, sections: shown, omitted: files.filter((file) => !isWhole(file)).map(({ path }) => path) };
}

/** Git left the lines of a text file out because the file is large. A line of content has a sign before it. */
function hasItsLines({ file, text }: Section): boolean {
  return file?.binary !== false || !text.includes('\nBinary files ');
}

/** The smallest first: a long section must not take the room of the others. */
function thatFit(sections: readonly Section[], longest: number): readonly Section[] {
  let room = longest;
  const shown = new Set<Section>();
  for (const section of sections.toSorted((one, other) => one.text.length - other.text.length)) {
    room -= section.text.length;
    if (room >= 0) shown.add(section);
  }
  return sections.filter((section) => shown.has(section));
}

/** Prints the changes from `base` to `tip`. */
export async function diffText(git: Git, root: string, base: string, tip: string, options: DiffOptions = {}): Promise<string> {
  await using view = await openObjectView(root, base);
  return await git.ok(belowCall(view, base, tip, options));
}

/** The whole diff as one text. */
export const wholeDiff = ({ sections }: Change): string => sections.map(({ text }) => text).join('');

interface Printed {
  readonly files: readonly ChangedFile[];
  readonly stat: string;
  readonly patch: string;
  /** The patch was too long, and this is its beginning. */
  readonly isCut: boolean;
}

/** Unlike `git.ok`, returns the beginning of an output that is too long. */
async function printedBy(run: Run, call: GitCall): Promise<Printed> {
  const finished = await run(call);
  const answer = toAnswer({ ...finished, truncated: false }, call);
  if (answer.status !== 0) throw gitFailed(call, answer);
  const { files, rest } = parseChangedFiles(answer.stdout);
  const [stat = ''] = rest.split('\0', 1);
  // Without the end of the statistics, the list of files may be cut too.
  if (stat === rest) toAnswer(finished, call);
  return { files, stat, patch: rest.slice(stat.length + 1), isCut: finished.truncated };
}
