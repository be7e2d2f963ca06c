import type { Proof } from '../../proof/proof.ts';
import { type FilesByPath, stillStanding } from '../../proof/still-standing.ts';
import { type ObjectView, openObjectView } from '../object-view.ts';
import { type Git, type GitCall, splitZ } from '../run.ts';
import { requireHash } from './collect-proof.ts';
import { readExplanations } from './read-explanations.ts';
import { readVersions } from './read-versions.ts';
import type { TreeEntry } from './tree-changes.ts';

/** Hashes of commits in the root. */
export interface StandingCommits {
  /** The commit of the earlier proof. */
  readonly proven: string;
  /** Main's commit below the work. */
  readonly onto: string;
  /** The worker's commit now. */
  readonly result: string;
}

/** What an earlier proof found and `result` has not put right. Pass `outside(git)`: reads only objects in the root. */
export async function collectStanding(git: Git, root: string, earlier: Proof, { proven, onto, result }: StandingCommits): Promise<Proof> {
  for (const hash of [proven, onto, result]) requireHash(hash);
  const stops = earlier.stops.flatMap((stop) => (stop.kind === 'empty_change' ? [] : [stop.path]));
  const lines = [...earlier.dropped, ...earlier.resurrected, ...earlier.replaced, ...earlier.added, ...earlier.notes];
  const paths = [...new Set([...stops, ...lines.map(({ path }) => path)])];
  await using view = await openObjectView(root, result);
  const [before, now, explanations] = await Promise.all([
    readFiles(git, view, proven, paths),
    readFiles(git, view, result, paths),
    readExplanations(git, view, onto, result),
  ]);
  return stillStanding(earlier, { before, now, explanations });
}

/** Literally: git would refuse a file that an agent called `:(x`. */
const filesCall = (view: ObjectView, commit: string, paths: readonly string[]): GitCall => ({
  ...view.call('ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths),
  env: { ...view.env, GIT_LITERAL_PATHSPECS: '1' },
});

async function readFiles(git: Git, view: ObjectView, commit: string, paths: readonly string[]): Promise<FilesByPath> {
  if (paths.length === 0) return new Map();
  const entries = splitZ(await git.ok(filesCall(view, commit, paths))).map(parseEntry);
  const version = await readVersions(git, view, entries);
  return new Map(entries.map(version).flatMap((file) => (file === null ? [] : [[file.path, file]])));
}

/** `<mode> <type> <hash>`, a tab and the path. */
function parseEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
  return { path: line.slice(tab + 1), mode, id };
}
