import type { Setting } from '../source/local-config.ts';
import type { Closed } from './git-dir.ts';

export interface NestedConfig {
  /** The text of a configuration with the settings that llmc takes over. */
  readonly text: string;
  /** Addresses of the remotes by name. */
  readonly remotes: ReadonlyMap<string, string>;
}

/** They say how files are stored, and they run nothing. */
const TAKEN = /^core\.(filemode|autocrlf|eol|ignorecase|symlinks|precomposeunicode)$/;
const PLAIN_VALUE = /^(true|false|input|lf|crlf|native)$/;

/**
 * Without them, git would read other content than the agent's own git does: a filter changes every file, an include can hold
 * any setting, an unknown extension stores refs or objects in another way. All other settings are only left out.
 */
const NEEDED =
  /^(filter\..+|include(if\..+)?\.path|extensions\.(?!(noop|partialclone|worktreeconfig|preciousobjects|relativeworktrees)$).+)$/;

/** Hooks and a file system monitor of the user's own configuration are off too. */
const OWN =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n\tlogAllRefUpdates = false\n';

/** Decides what llmc takes over from the configuration of a nested repository. git itself never reads that configuration. */
export function nestedConfig(settings: readonly Setting[]): NestedConfig | Closed {
  const needed = settings.find(({ key, value }) => NEEDED.test(key) && !(key === 'extensions.objectformat' && value === 'sha1'));
  if (needed !== undefined) return { closed: `its configuration sets ${needed.key}` };
  const taken = settings.filter(({ key, value }) => TAKEN.test(key) && PLAIN_VALUE.test(value));
  const remotes = settings.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    return name === undefined ? [] : [[name, value] as const];
  });
  return { text: `${OWN}${taken.map(({ key, value }) => `\t${key.slice(5)} = ${value}\n`).join('')}`, remotes: new Map(remotes) };
}
