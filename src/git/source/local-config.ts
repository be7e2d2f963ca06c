import { splitZ } from '../split-z.ts';

/**
 * Repository-local settings that change what a commit contains or who made it.
 * Without them a worker's files would differ from the user's (line ends, filters
 * such as git-crypt) or have another author. Remotes and hooks are not copied.
 */
const WANTED: readonly RegExp[] = [
  /^user\.(name|email|useconfigonly)$/,
  /^(author|committer)\.(name|email)$/,
  /^core\.(autocrlf|eol|safecrlf|excludesfile|attributesfile|precomposeunicode|symlinks|filemode|ignorecase|longpaths)$/,
  /^filter\..+\.(clean|smudge|process|required)$/,
  /^merge\..+\.(name|driver|recursive)$/,
  /^diff\..+\.(textconv|command|binary|xfuncname)$/,
  /^lfs\.url$/,
  // git would resolve a relative address in `.gitmodules` against the source's path on disk.
  /^submodule\..+\.url$/,
];

export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Reads `git config --list -z`: the first line feed separates key and value. */
export function parseSettings(text: string): Setting[] {
  return splitZ(text).map((entry) => {
    const cut = entry.indexOf('\n');
    return cut < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, cut), value: entry.slice(cut + 1) };
  });
}

export function settingsToCopy(settings: readonly Setting[]): Setting[] {
  return settings.filter(({ key }) => WANTED.some((wanted) => wanted.test(key)));
}
