import { parseBlobs } from '../rebase/read-blobs.ts';
import { localRef } from '../refs.ts';
import { type Git, type GitCall, read, splitZ } from '../run.ts';

/** A file of a commit; the text is undefined if it is too large or not UTF-8. */
export interface CommittedFile {
  readonly path: string;
  readonly text: string | undefined;
}

/** Less than the output that llmc reads of one process. */
const MOST_FILES = 100;

const listCall = (at: string, branch: string, folder: string): GitCall =>
  read(at, 'ls-tree', '-z', '-l', '--full-tree', localRef(branch), '--', `${folder}/`);
const contentsCall = (at: string, ids: readonly string[]): GitCall => ({
  ...read(at, 'cat-file', '--batch', '--buffer'),
  stdin: ids.map((id) => `${id}\n`).join(''),
});

/** The plain files that a branch has directly in a folder. Reads them from the commit: a checkout may hold anything. */
export async function readFolder(
  git: Git,
  at: string,
  branch: string,
  folder: string,
  largestBytes: number,
): Promise<readonly CommittedFile[]> {
  const entries = splitZ(await git.ok(listCall(at, branch, folder)))
    .flatMap(parseEntry)
    .slice(0, MOST_FILES);
  const small = entries.filter(({ size }) => size <= largestBytes).map(({ id }) => id);
  if (small.length === 0) return entries.map(({ path }) => ({ path, text: undefined }));
  const { stdout } = await git.run(contentsCall(at, small), { encoding: 'latin1' });
  const texts = new Map([...parseBlobs(stdout)].map(([id, bytes]) => [id, decoded(bytes)]));
  return entries.map(({ path, id }) => ({ path, text: texts.get(id) }));
}

/** `<mode> blob <id> <size>\t<path>`. A symbolic link has another mode: it could lead anywhere. */
function parseEntry(entry: string): readonly { readonly id: string; readonly size: number; readonly path: string }[] {
  const [, id = '', size = '', path = ''] = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(entry) ?? [];
  return id === '' ? [] : [{ id, size: Number(size), path }];
}

function decoded(bytes: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
