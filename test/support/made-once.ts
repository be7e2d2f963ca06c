import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

interface Kept {
  readonly folder: string;
  /** The scratch directory in which it was made. */
  readonly dir: string;
  /** The files that name that directory. */
  readonly naming: readonly string[];
}

const COPY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
const kept = new Map<string, Kept>();
let place: string | undefined;

/**
 * Makes a folder in a scratch directory the first time that this process asks for its kind, and copies that one later: a repository and
 * its clone take 20 processes of git, their copies none.
 */
export async function madeOnce(kind: string, path: string, dir: string, make: () => Promise<unknown>): Promise<void> {
  const first = kept.get(kind);
  if (first === undefined) {
    await make();
    // Another test may have made one of the kind meanwhile.
    if (!kept.has(kind)) kept.set(kind, keep(path, dir));
    return;
  }
  cpSync(first.folder, path, COPY);
  for (const file of first.naming) {
    const copy = join(path, file);
    // The names of scratch directories are equally long, so that this is right in a database, too.
    writeFileSync(copy, bytesOf(copy).replaceAll(named(first.dir), named(dir)), 'latin1');
  }
}

function keep(path: string, dir: string): Kept {
  const folder = join(placeOfThisProcess(), String(kept.size));
  cpSync(path, folder, COPY);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return { folder, dir, naming: files.filter((file) => bytesOf(join(folder, file)).includes(named(dir))) };
}

const bytesOf = (file: string): string => readFileSync(file, 'latin1');
const named = (dir: string): string => Buffer.from(dir).toString('latin1');

function placeOfThisProcess(): string {
  if (place !== undefined) return place;
  const made = mkdtempSync(join(tmpdir(), 'llmc-made-once-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  place = made;
  return made;
}
