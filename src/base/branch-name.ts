import { visibleLine } from './visible-text.ts';

const LONGEST_BYTES = 200;

/** Says why a text is not the name of a branch that llmc would put a commit on; undefined if it is one. */
export function branchNameProblem(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (Buffer.byteLength(name) > LONGEST_BYTES) return `it is longer than ${LONGEST_BYTES} bytes`;
  if (visibleLine(name) !== name) return 'it contains characters that cannot be seen';
  if (name.startsWith('-')) return 'it begins with "-", like an option';
  if (/^refs\//i.test(name)) return 'it begins with "refs/": give the short name';
  if (/^(head|@)$/i.test(name)) return 'git means something else by it';
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(name)) return 'it looks like a commit';
  if (/^llmc(-rescued)?(\/|$)/i.test(name)) return 'names below llmc/ and llmc-rescued/ are kept for llmc itself';
  return isRefName(name) ? undefined : 'git does not allow it (git help check-ref-format)';
}

/** The rules of `git check-ref-format`. */
function isRefName(name: string): boolean {
  if (/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|[/.]$/.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

interface NamedAfter {
  readonly worker: string;
  /** What the worker was told. */
  readonly task: string;
}

/** The name of a branch after a pattern with `{worker}` and `{task}`. */
export function branchAfter(pattern: string, { worker, task }: NamedAfter): string {
  return pattern.replaceAll(/\{(worker|task)\}/g, (_, what) => (what === 'worker' ? worker : words(task)));
}

/** True if every accept has the same branch. */
export const isFixedBranch = (pattern: string): boolean => branchAfter(pattern, { worker: 'a', task: 'a' }) === pattern;

/** Says what is wrong with a pattern; undefined if it gives a name for each worker and task. */
export function branchPatternProblem(pattern: string): string | undefined {
  if (/\{(?!(worker|task)\})/.test(pattern)) return 'only {worker} and {task} are replaced';
  return branchNameProblem(branchAfter(pattern, { worker: 'adam', task: 'Add a parser' }));
}

const LONGEST_WORDS = 40;

/** The first words of a task, as many as are short: "Fix the typo (again)" → "fix-the-typo-again". */
function words(task: string): string {
  const [first = '', ...others] = task
    .slice(0, 1_000)
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? ['work'];
  let text = [...first].slice(0, LONGEST_WORDS).join('');
  for (const word of others) {
    if (text.length + 1 + word.length > LONGEST_WORDS) break;
    text += `-${word}`;
  }
  return text;
}
