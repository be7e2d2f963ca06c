import { splitZ } from './run.ts';

export interface ChangedFile {
  readonly path: string;
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
}

/** Reads `git diff --raw --numstat -z`: all raw records, then all counts. */
export function parseChangedFiles(output: string): readonly ChangedFile[] {
  const fields = splitZ(output);
  const raw: Omit<ChangedFile, 'binary' | 'added' | 'removed'>[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':') === true) {
    const [before = '', after = '', from = '', to = '', letter = ''] = fields[at]?.slice(1).split(' ') ?? [];
    const status = letter.slice(0, 1);
    const names = status === 'R' || status === 'C' ? 2 : 1;
    raw.push({ path: fields[at + names] ?? '', status, modes: { before, after }, hashes: { before: from, after: to } });
    at += 1 + names;
  }
  const counts = new Map<string, Pick<ChangedFile, 'binary' | 'added' | 'removed'>>();
  while (at < fields.length) {
    const [, added = '', removed = '', path = ''] = /^(\S+)\t(\S+)\t(.*)$/s.exec(fields[at] ?? '') ?? [];
    // A renamed file has an empty name here, and its two names after it.
    const renamed = path === '';
    const binary = added === '-';
    counts.set(renamed ? (fields[at + 2] ?? '') : path, {
      binary,
      added: binary ? 0 : Number(added),
      removed: binary ? 0 : Number(removed),
    });
    at += renamed ? 3 : 1;
  }
  return raw.map((file) => ({ ...file, ...(counts.get(file.path) ?? { binary: false, added: 0, removed: 0 }) }));
}
