import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Where a shell in this directory would find the program; undefined where it would say "not found". */
export function findProgram(name: string, where: { readonly path: string | undefined; readonly cwd: string }): string | undefined {
  const places = name.includes('/') ? [''] : (where.path ?? '').split(delimiter).filter((place) => place !== '');
  return places.map((place) => resolve(where.cwd, place, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
