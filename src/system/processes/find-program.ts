import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** The path at which a shell in this directory finds the program; undefined if it finds none. */
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
