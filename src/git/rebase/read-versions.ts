import type { Content, FileVersion } from '../../proof/tree-file.ts';
import type { ObjectView } from '../object-view.ts';
import type { Git } from '../run.ts';
import { readContents } from './read-blobs.ts';
import type { TreeEntry } from './tree-changes.ts';

/** Reads the lines of these files at once. */
export async function readVersions(
  git: Git,
  view: ObjectView,
  entries: readonly TreeEntry[],
): Promise<(entry: TreeEntry | null) => FileVersion | null> {
  const contents = await readContents(git, view, new Set(entries.filter(isPlainFile).map(({ id }) => id)));
  return (entry) => entry && { ...entry, content: chooseContent(entry, contents) };
}

/** The content of a link is a path, and the one of a submodule is not in this repository. */
const isPlainFile = ({ mode }: TreeEntry): boolean => mode.startsWith('100');

const chooseContent = (entry: TreeEntry, contents: ReadonlyMap<string, Content>): Content =>
  (isPlainFile(entry) ? contents.get(entry.id) : undefined) ?? { kind: 'opaque' };
