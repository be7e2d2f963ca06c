import { isAbsolute, join } from 'node:path';
import { modifiedAt, namesIn, readTextIfThere, writePrivate } from '../system/files/files.ts';
import { removeFile } from '../system/remove-file.ts';

/** A root of this user, as `llmc init` or `llmc up` has recorded it. The root itself may be gone. */
export interface KnownRoot {
  readonly root: string;
  /** The folder of git that identifies the repository of the root. */
  readonly repository: string;
}

/**
 * The recorded roots, the oldest first. Each has a file of its own, so that two processes never write the same one:
 * a line with the root, a line with its repository, which a shell can read too. Ignores what is not such a file.
 */
export function knownRoots(folder: string): readonly KnownRoot[] {
  return namesIn(folder)
    .filter((name) => ENTRY.test(name))
    .map((name) => join(folder, name))
    .toSorted((one, other) => modifiedAt(one) - modifiedAt(other) || (one < other ? -1 : 1))
    .flatMap((file) => parseEntry(readEntry(file)));
}

const ENTRY = /^[0-9a-f]{16}$/;

function readEntry(file: string): string {
  try {
    return readTextIfThere(file) ?? '';
  } catch {
    return '';
  }
}

function parseEntry(text: string): readonly KnownRoot[] {
  const [root = '', repository = '', ...rest] = text.split('\n');
  return isAbsolute(root) && isAbsolute(repository) && rest.join('') === '' ? [{ root, repository }] : [];
}

/** Records a root. False if that is impossible, as with a home that cannot be written: llmc works without. */
export function rememberRoot(folder: string, known: KnownRoot): boolean {
  const text = `${known.root}\n${known.repository}\n`;
  if (parseEntry(text).length === 0) return false;
  const file = locateEntry(folder, known.root);
  // The time of the file tells which root of a repository was first.
  if (readEntry(file) === text) return true;
  try {
    writePrivate(file, text);
    return true;
  } catch {
    return false;
  }
}

/** Removes the record of a root, and nothing of the root itself. False if there is none. */
export function forgetRoot(folder: string, root: string): boolean {
  const file = locateEntry(folder, root);
  if (readEntry(file) === '') return false;
  removeFile(file);
  return true;
}

// Loading node:crypto would cost every command several milliseconds.
function locateEntry(folder: string, root: string): string {
  return join(folder, process.getBuiltinModule('node:crypto').createHash('sha256').update(root).digest('hex').slice(0, 16));
}
