import type { DiffFile } from './parse/diff-file.ts';

/** A row of the list of files. */
export type TreeRow =
  | {
      readonly kind: 'folder';
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly files: number;
      readonly isFolded: boolean;
    }
  | { readonly kind: 'file'; readonly file: DiffFile; readonly name: string; readonly depth: number };

interface Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly inside: (Folder | DiffFile)[];
  files: number;
}

const isFolder = (node: Folder | DiffFile): node is Folder => 'inside' in node;

const built = new WeakMap<readonly DiffFile[], Folder>();

/** The files below their folders, in the order of the diff. A folder that only contains another one shares its row. */
export function treeRows(files: readonly DiffFile[], folded: ReadonlySet<string>): readonly TreeRow[] {
  const root = built.get(files) ?? build(files);
  built.set(files, root);
  const rows: TreeRow[] = [];
  // Not recursive: a path may have thousands of folders.
  const left = root.inside.toReversed().map((node) => ({ node, depth: 0 }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, depth } = next;
    if (!isFolder(node)) {
      rows.push({ kind: 'file', file: node, name: node.path.slice(node.path.lastIndexOf('/') + 1), depth });
      continue;
    }
    const names = [node.name];
    let last = node;
    for (let only = onlyFolder(last); only !== undefined; only = onlyFolder(last)) {
      names.push(only.name);
      last = only;
    }
    const isFolded = folded.has(last.path);
    rows.push({ kind: 'folder', path: last.path, name: names.join('/'), depth, files: last.files, isFolded });
    if (!isFolded) for (const inner of last.inside.toReversed()) left.push({ node: inner, depth: depth + 1 });
  }
  return rows;
}

function onlyFolder({ inside }: Folder): Folder | undefined {
  const [only] = inside;
  return inside.length === 1 && only !== undefined && isFolder(only) ? only : undefined;
}

function build(files: readonly DiffFile[]): Folder {
  const root = newFolder('', '');
  for (const file of files) {
    let folder = root;
    let at = 0;
    for (let end = file.path.indexOf('/'); end !== -1; end = file.path.indexOf('/', at)) {
      folder = inner(folder, file.path.slice(0, end), file.path.slice(at, end));
      folder.files += 1;
      at = end + 1;
    }
    folder.inside.push(file);
  }
  return root;
}

const newFolder = (path: string, name: string): Folder => ({ path, name, folders: new Map(), inside: [], files: 0 });

function inner(folder: Folder, path: string, name: string): Folder {
  const known = folder.folders.get(name);
  if (known !== undefined) return known;
  const made = newFolder(path, name);
  folder.folders.set(name, made);
  folder.inside.push(made);
  return made;
}
