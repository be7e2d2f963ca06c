export interface ChangedFile {
  readonly path: string;
  /** Where a renamed file was. */
  readonly from?: string;
  /** The letter of git: added, deleted, modified, renamed, copied, or of another type than before. */
  readonly status: string;
  /** Six digits; 000000 where the file does not exist. */
  readonly modes: { readonly before: string; readonly after: string };
  readonly hashes: { readonly before: string; readonly after: string };
  /** Git shows no lines of it. */
  readonly binary: boolean;
  /** Lines; 0 in a binary file. */
  readonly added: number;
  readonly removed: number;
  /** Only white space changes, and git was told to leave that out: it prints nothing about the file. */
  readonly onlyWhitespace: boolean;
}

/** The files of a change, and what git printed after them. */
export interface ListedFiles {
  readonly files: readonly ChangedFile[];
  readonly rest: string;
}

type Counts = Pick<ChangedFile, 'binary' | 'added' | 'removed' | 'onlyWhitespace'>;

/** Reads `git diff --raw --numstat -z`: all raw records, then all counts. What follows them begins neither with a colon nor with a count. */
export function parseChangedFiles(output: string): ListedFiles {
  const raw: Omit<ChangedFile, keyof Counts>[] = [];
  const counts = new Map<string, Counts>();
  let at = 0;
  const field = () => {
    const end = output.indexOf('\0', at);
    const text = output.slice(at, end === -1 ? undefined : end);
    at = end === -1 ? output.length : end + 1;
    return text;
  };
  while (output[at] === ':') {
    const [before = '', after = '', from = '', to = '', letter = ''] = field().slice(1).split(' ');
    const status = letter.slice(0, 1);
    // The old name comes first.
    const old = status === 'R' || status === 'C' ? field() : undefined;
    raw.push({
      path: field(),
      ...(status === 'R' && old !== undefined && { from: old }),
      status,
      modes: { before, after },
      hashes: { before: from, after: to },
    });
  }
  while (/[\d-]/.test(output[at] ?? '')) {
    const [, added = '', removed = '', path = ''] = /^(\S+)\t(\S+)\t(.*)$/s.exec(field()) ?? [];
    const binary = added === '-';
    const count = { binary, added: binary ? 0 : Number(added), removed: binary ? 0 : Number(removed), onlyWhitespace: false };
    // A renamed file has an empty name here, and its two names after it.
    if (path === '') field();
    counts.set(path === '' ? field() : path, count);
  }
  const none = { binary: false, added: 0, removed: 0 };
  const files = raw.map((file) => ({ ...file, ...(counts.get(file.path) ?? { ...none, onlyWhitespace: file.status === 'M' }) }));
  return { files, rest: output.slice(at) };
}
