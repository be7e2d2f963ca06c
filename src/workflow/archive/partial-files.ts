import { join } from 'node:path';
import { namesIn } from '../../system/files/files.ts';
import { PARTIAL_FOLDER } from '../perform/artifacts.ts';

/** The files of work that was not finished, by their paths in the folder of the run: a folder per attempt; those of items are in a folder of their stage. */
export function partialFiles(folder: string): readonly string[] {
  const inside = (path: string): readonly string[] =>
    namesIn(join(folder, path))
      .toSorted()
      .map((name) => join(path, name));
  const attempts = inside(PARTIAL_FOLDER).flatMap((path) => (/-\d+$/.test(path) ? [path] : inside(path)));
  return attempts.flatMap(inside);
}
