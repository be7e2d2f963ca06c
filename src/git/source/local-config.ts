import { splitZ } from '../run.ts';

/**
 * Repository-local settings that change what a commit contains or who made it.
 * Without them a worker's files would differ from the user's (line ends, filters
 * such as git-crypt) or carry another name. Remotes and hooks are left behind.
 */
const WANTED: readonly RegExp[] = [
  /^user\.(name|email|useconfigonly)$/,
  /^(author|committer)\.(name|email)$/,
  /^core\.(autocrlf|eol|safecrlf|excludesfile|attributesfile|precomposeunicode|symlinks|filemode|ignorecase|longpaths)$/,
  /^filter\..+\.(clean|smudge|process|required)$/,
  /^merge\..+\.(name|driver|recursive)$/,
  /^diff\..+\.(textconv|command|binary|xfuncname)$/,
  /^lfs\.url$/,
  // A relative address in `.gitmodules` would be taken from the source's own place on disk.
  /^submodule\..+\.url$/,
];

export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Reads `git config --list -z`: key and value are parted by the first line feed. */
export function parseConfig(text: string): Setting[] {
  return splitZ(text).map((entry) => {
    const cut = entry.indexOf('\n');
    return cut < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, cut), value: entry.slice(cut + 1) };
  });
}

export function settingsToCopy(settings: readonly Setting[]): Setting[] {
  return settings.filter(({ key }) => WANTED.some((wanted) => wanted.test(key)));
}
