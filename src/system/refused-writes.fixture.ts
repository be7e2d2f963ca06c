import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRefusal } from '../base/refusal.ts';
import { writeNewPrivate } from './files/archive.ts';
import { systemFiles } from './files/system-files.ts';

/** What was in each file before. */
export const OLD = 'what was there before\n';
/** More than the disk of the test has. */
const LARGE = 'x'.repeat(2 * 1024 * 1024);

/** Every way in which llmc writes a file itself, to a path in a folder that also holds a file named `old`. */
export const WRITES: Readonly<Record<string, (folder: string, text: string) => void>> = {
  writePrivate: (folder, text) => systemFiles.writePrivate(join(folder, 'old'), text),
  'writePrivate in a new folder': (folder, text) => systemFiles.writePrivate(join(folder, 'new', 'file'), text),
  replace: (folder, text) => systemFiles.replace(join(folder, 'old'), text),
  append: (folder, text) => systemFiles.append(join(folder, 'old'), text),
  copy: (folder) => systemFiles.copy(join(folder, '..', 'large'), join(folder, 'old')),
  'a new archive': (folder, text) => void writeNewPrivate(join(folder, 'archive'), Buffer.from(text)),
};

/** Tries every write; the refusal of each, or "written". */
export function tryAll(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(WRITES).map(([name, write]) => {
      try {
        write(folder, LARGE);
        return [name, 'written'];
      } catch (error) {
        return [name, findRefusal(error) ?? String(error)];
      }
    }),
  );
}

/** Makes the folder in the state from before. */
export function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'old'), OLD);
  writeFileSync(join(folder, '..', 'large'), LARGE);
}

// As a program, with a low limit of open files: the writes when no more files can be opened.
if (process.argv[1] === import.meta.filename) {
  const [folder = ''] = process.argv.slice(2);
  const opened: number[] = [];
  // The first error loads a chunk of Node, which needs a file itself.
  tryAll(`${folder}-elsewhere`);
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'));
  } catch {
    const tried = tryAll(folder);
    for (const fd of opened) closeSync(fd);
    console.log(JSON.stringify(tried));
  }
}
