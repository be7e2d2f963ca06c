import { findProgram } from '../system/processes/find-program.ts';

/** Returns why a program cannot be started, or undefined if it can. */
export function missingProgram(name: string, where: { readonly path: string | undefined; readonly cwd: string }): string | undefined {
  if (findProgram(name, where) !== undefined) return undefined;
  return name.includes('/') ? `${name} is not a program that can be run` : `${name} is not on PATH`;
}
