/** Where a run expects the files of a task, in the worktree. */
export const OUT_FOLDER = '.llmc-task/out';

/** A file that a task asks for. */
export interface AskedFile {
  /** Below `.llmc-task/out/`. */
  readonly path: string;
  /** The JSON Schema that stands behind the path on the same line. */
  readonly schema?: unknown;
}

/** Every prompt of a run may name these; they are not the result of a task. */
const NOT_A_RESULT = /^(?:progress\.yaml$|messages(?:\/|$))/;

/**
 * The files that a prompt asks for, found by their paths below `.llmc-task/out/`.
 * The words around a path do not count, so a run can change its wording.
 */
export function askedFiles(prompt: string): readonly AskedFile[] {
  const found = new Map<string, AskedFile>();
  for (const line of prompt.split('\n')) {
    for (const [whole, path = ''] of line.matchAll(/\.llmc-task\/out\/([\w-](?:[\w./-]*[\w-])?)/g)) {
      if (NOT_A_RESULT.test(path) || path.includes('..') || found.get(path)?.schema !== undefined) continue;
      const schema = jsonBehind(line.slice(line.indexOf(whole) + whole.length));
      found.set(path, { path, ...(schema !== undefined && { schema }) });
    }
  }
  return [...found.values()];
}

/** The files of a turn: those that its prompt names, or those of the task before it, which a prompt such as "correct it" leaves out. */
export function filesToLeave(prompt: string, before: readonly AskedFile[]): readonly AskedFile[] {
  const named = askedFiles(prompt);
  if (named.length === 0) return before;
  // What is said about a file later does not repeat its schema.
  return named.map((file) => (file.schema === undefined ? (before.find(({ path }) => path === file.path) ?? file) : file));
}

/** Whether a later prompt names only files that are known: then the task is the same. */
export function areAmong(files: readonly AskedFile[], before: readonly AskedFile[]): boolean {
  return files.every(({ path }) => before.some((one) => one.path === path));
}

/** The JSON object at the end of a line. */
function jsonBehind(rest: string): unknown {
  const start = rest.indexOf('{');
  if (start === -1) return undefined;
  try {
    return JSON.parse(rest.slice(start));
  } catch {
    return undefined;
  }
}
