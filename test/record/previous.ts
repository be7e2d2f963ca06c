import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nearestVersion } from '../../src/agents/versions.ts';

export const SCREENS = join(import.meta.dirname, '../fixtures/screens');

/** The recorded version to compare with, and its screens by file name. */
export interface Previous {
  readonly version: string;
  screen(file: string): string | undefined;
}

/** The nearest one before; the version itself only when it is not about to be written over. */
export function previousOf(agent: string, version: string, writesOver: boolean): Previous | undefined {
  const known = readdirSync(SCREENS).includes(agent) ? readdirSync(join(SCREENS, agent)) : [];
  const nearest = nearestVersion(
    version,
    known.filter((each) => !writesOver || each !== version),
  );
  if (nearest === undefined) return undefined;
  const folder = join(SCREENS, agent, nearest);
  const files = new Map(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => [basename(path), join(folder, path)]));
  return {
    version: nearest,
    screen(file) {
      const path = files.get(file);
      return path === undefined ? undefined : readFileSync(path, 'utf8');
    },
  };
}
