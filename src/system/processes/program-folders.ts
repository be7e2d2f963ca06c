import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { findProgram } from './find-program.ts';

/** The folders that a command runs from: those on PATH, that of its program with links resolved, that of the script it names first, and that of the Node that runs llmc. */
export function programFolders(
  [program = '', script = '']: readonly string[],
  where: { readonly path: string | undefined; readonly cwd: string },
): readonly string[] {
  const listed = (where.path ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const found = findProgram(program, where);
  const real = [process.execPath, found, script.startsWith('/') ? script : undefined].flatMap((file) =>
    file === undefined ? [] : realFolder(file),
  );
  return [...new Set([...listed, ...real])];
}

/** A package needs the packages around it. */
function realFolder(file: string): readonly string[] {
  try {
    const real = realpathSync(file);
    const packages = real.indexOf(`${sep}node_modules${sep}`);
    return [packages < 0 ? dirname(real) : real.slice(0, packages + `${sep}node_modules`.length)];
  } catch {
    return [];
  }
}
