import { basename, dirname, join } from 'node:path';
import { names } from '../system/files/listing.ts';
import { moveAside, type PlaceKind, type PlaceProblem, placeProblem, reopen } from '../system/files/place.ts';
import type { Layout } from './layout.ts';

export interface Misplaced {
  readonly path: string;
  readonly wanted: PlaceKind;
  readonly problem: PlaceProblem;
}

type Place = readonly [wanted: PlaceKind, path: string];

/** Without these nobody can own the root. */
const forLock = (layout: Layout): readonly Place[] => [
  ['folder', layout.run],
  ['file', layout.lock],
  ['file', layout.owner],
];

const MOST_WORKERS = 10_000;
/** What was kept under another name has a dot in it. */
const isWorkerName = (name: string): boolean => /^[a-z][a-z0-9-]*$/.test(name);

/** A folder comes before what is in it. */
function listPlaces(layout: Layout): readonly Place[] {
  const below = (wanted: PlaceKind, folder: string): readonly Place[] =>
    names(folder, MOST_WORKERS).flatMap((name) => (isWorkerName(name) ? [[wanted, join(folder, name)]] : []));
  const scratch = join(layout.run, 'workers');
  const isInside = dirname(layout.apiSocket) === layout.run;
  return [
    ...forLock(layout),
    ['file', layout.config],
    ['file', layout.validConfig],
    ['file', layout.state],
    ['file', layout.stateBackup],
    ['file', layout.database],
    ['file', layout.canaries],
    ['file', layout.wrongPatterns],
    ['file', layout.serviceStarts],
    ['folder', layout.worktrees],
    ['folder', layout.runs],
    ['folder', layout.logs],
    ['folder', layout.events],
    ['folder', layout.copies],
    ['folder', dirname(layout.sandbox('any'))],
    ['folder', scratch],
    ['folder', join(layout.run, 'git')],
    ['folder', dirname(layout.deaths)],
    ['file', layout.deaths],
    ...(isInside ? ([layout.apiSocket, layout.tmuxSocket] as const).map((path) => ['socket', path] as const) : []),
    ...below('folder', layout.events),
    ...below('folder', scratch),
  ];
}

const problemsIn = (places: readonly Place[]): readonly Misplaced[] =>
  places.flatMap(([wanted, path]) => {
    const problem = placeProblem(path, wanted);
    return problem === undefined ? [] : [{ path, wanted, problem }];
  });

/** Every path of a root that is not what llmc needs there. */
export const misplacedIn = (layout: Layout): readonly Misplaced[] => problemsIn(listPlaces(layout));

/**
 * Moves what is in the way to another name, and opens what is closed to its own user. A link to nothing stays: its disk may not be mounted.
 * `lock`: only what a process needs to become the owner, which it calls for before it is. Returns what it did.
 */
export function clearPlaces(layout: Layout, now: number, which: 'lock' | 'all' = 'all'): readonly string[] {
  const lines: string[] = [];
  // One after the other: a folder that can be entered again shows what is in it.
  for (const [wanted, path] of which === 'lock' ? forLock(layout) : listPlaces(layout)) {
    const problem = placeProblem(path, wanted);
    if (problem?.kind === 'other') {
      const aside = `${path}.broken-${now}`;
      moveAside(path, wanted, aside);
      lines.push(`${path} was ${problem.what}, where llmc needs a ${wanted}; it is kept as ${basename(aside)}`);
    }
    if (problem?.kind === 'closed') {
      reopen(path, wanted);
      lines.push(`${path} was closed to its own user; now you can use it again`);
    }
  }
  return lines;
}
