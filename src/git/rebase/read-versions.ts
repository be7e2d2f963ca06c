import type { Content, FileVersion } from '../../proof/tree-file.ts';
import type { ObjectView } from '../object-view.ts';
import type { Git } from '../run.ts';
import { readBlobs } from './read-blobs.ts';
import type { Entry } from './tree-changes.ts';

/** Reads the lines of these files at once. */
export async function readVersions(
  git: Git,
  view: ObjectView,
  entries: readonly Entry[],
): Promise<(entry: Entry | null) => FileVersion | null> {
  const contents = await readBlobs(git, view, new Set(entries.filter(isPlainFile).map(({ id }) => id)));
  return (entry) => entry && { ...entry, content: contentOf(entry, contents) };
}

/** The content of a link is a path, and the one of a submodule is not in this repository. */
const isPlainFile = ({ mode }: Entry): boolean => mode.startsWith('100');

const contentOf = (entry: Entry, contents: ReadonlyMap<string, Content>): Content =>
  (isPlainFile(entry) ? contents.get(entry.id) : undefined) ?? { kind: 'opaque' };
