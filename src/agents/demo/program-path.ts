import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The demo agent's program: beside this file in the sources, `demo-agent.js` at the top of the bundle's folder in a package. */
export function demoProgramPath(): string {
  return programPathFrom(fileURLToPath(import.meta.url));
}

export function programPathFrom(here: string): string {
  const folder = dirname(here);
  if (here.endsWith('.ts')) return join(folder, 'tui', 'main.ts');
  return join(basename(folder) === 'chunks' ? dirname(folder) : folder, 'demo-agent.js');
}
