import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { inject } from 'vitest';
import { z } from 'zod';

const keptAs = z.object({
  /** The scratch directory in which it was made. */
  dir: z.string(),
  /** The files that name that directory. */
  naming: z.array(z.string()),
});

const COPY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;

/**
 * Makes a folder in a scratch directory the first time that this run asks for its kind, and copies that one later: a repository and
 * its clone take 20 processes of git, their copies none. Returns whether it was copied.
 *
 * Tests that begin together make a repository each, and one of them is kept: the kind of a clone names the first commit of its
 * repository, which has a time in it.
 */
export async function madeOnce(kind: string, path: string, dir: string, make: () => Promise<unknown>): Promise<boolean> {
  // The names of scratch directories below the same folder are equally long, so that another name is right in a database, too.
  const place = join(
    inject('keptFolders'),
    createHash('sha256')
      .update(`${dirname(dir)} ${tmpdir()} ${kind}`)
      .digest('hex'),
  );
  if (!existsSync(place)) {
    await make();
    keep(place, path, dir);
    return false;
  }
  const first = keptAs.parse(JSON.parse(readFileSync(join(place, 'kept.json'), 'utf8')));
  cpSync(join(place, 'folder'), path, COPY);
  for (const file of first.naming) {
    const copy = join(path, file);
    writeFileSync(copy, bytesOf(copy).replaceAll(named(first.dir), named(dir)), 'latin1');
  }
  return true;
}

/** A place appears whole: other processes of the run look for it meanwhile. */
function keep(place: string, path: string, dir: string): void {
  const aside = `${place}.${process.pid}`;
  const folder = join(aside, 'folder');
  mkdirSync(aside, { recursive: true });
  cpSync(path, folder, COPY);
  const naming = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => bytesOf(join(folder, file)).includes(named(dir)));
  writeFileSync(join(aside, 'kept.json'), JSON.stringify({ dir, naming } satisfies z.input<typeof keptAs>));
  try {
    renameSync(aside, place);
  } catch {
    // Another process made one of the kind meanwhile.
    rmSync(aside, { recursive: true });
  }
}

const bytesOf = (file: string): string => readFileSync(file, 'latin1');
const named = (dir: string): string => Buffer.from(dir).toString('latin1');
