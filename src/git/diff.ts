import { type ChangedFile, parseChangedFiles } from './changed-files.ts';
import { type ObjectView, openObjectView } from './object-view.ts';
import { type Section, sectionsOf, splitSections } from './patch-sections.ts';
import { answerOf, type Git, type GitCall, gitCommand, gitFailed } from './run.ts';

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

/** More than a person reads. The supervisor searches it for tricks, which takes up to a second (measured with hostile lines). */
const LONGEST_DIFF = 4 * 1024 * 1024;
const TIMEOUT_MS = 600_000;

/** Nothing may hide a file or run a program; submodules are hashes, whose repositories are not entered. */
const HONEST = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--ignore-submodules=none'] as const;

/** Whole names: git cuts them to 80 columns otherwise. */
const STAT = ['--stat=5000,4500', '--stat-graph-width=40'] as const;

const filesCall = (view: ObjectView, base: string, tip: string): GitCall =>
  view.call('diff', ...HONEST, '--raw', '--numstat', '-z', '--no-abbrev', '--end-of-options', base, tip, '--');
const patchCall = (view: ObjectView, base: string, tip: string): GitCall =>
  view.call('diff', ...HONEST, ...STAT, '--patch', '--end-of-options', base, tip, '--');
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
export async function readChange(git: Git, root: string, base: string, tip: string, longest = LONGEST_DIFF): Promise<Change> {
  await using view = await openObjectView(root, base);
  const [listed, printed] = await Promise.all([git.ok(filesCall(view, base, tip)), patchOf(git, patchCall(view, base, tip))]);
  const files = parseChangedFiles(listed);
  const end = printed.text.indexOf('\n\n');
  const stat = end === -1 ? printed.text : printed.text.slice(0, end + 1);
  const sections = splitSections(printed.text.slice(stat.length), files);
  if (printed.isCut) sections.pop();
  let room = longest;
  const shown = sections.filter(({ text }) => {
    const fits = text.length <= room;
    if (fits) room -= text.length;
    return fits;
  });
  const counts = Map.groupBy(shown, ({ file }) => file);
  const isWhole = (file: ChangedFile) => counts.get(file)?.length === sectionsOf(file);
  return { files, stat, sections: shown, omitted: files.filter((file) => !isWhole(file)).map(({ path }) => path) };
}

/** Prints the changes from `base` to `tip`. */
export async function diffText(git: Git, root: string, base: string, tip: string, options: DiffOptions = {}): Promise<string> {
  await using view = await openObjectView(root, base);
  return await git.ok(belowCall(view, base, tip, options));
}

/** The whole diff as one text. */
export const wholeDiff = ({ sections }: Change): string => sections.map(({ text }) => text).join('');

/** Unlike `git.ok`, returns the beginning of an output that is too long. */
async function patchOf(git: Git, call: GitCall): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const finished = await git.processes.run(gitCommand(call), { timeoutMs: TIMEOUT_MS });
  const answer = answerOf({ ...finished, truncated: false }, call);
  if (answer.status !== 0) throw gitFailed(call, answer);
  return { text: answer.stdout, isCut: finished.truncated };
}
