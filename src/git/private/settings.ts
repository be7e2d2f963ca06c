import type { Setting } from '../source/local-config.ts';
import { storeFolder } from './place.ts';

/** A path no repository can have; git prints it when someone tries to push. */
export const NO_PUSH = '/dev/null/workers-do-not-push--use-llmc-accept';

/** Written to the configuration of the store and of each worker's repository, for agents and llmc alike. Does not set the remote's fetch line: `git clone` writes one. */
export const ROOT_SETTINGS: readonly Setting[] = [
  { key: 'rerere.enabled', value: 'true' },
  { key: 'rerere.autoUpdate', value: 'true' },
  { key: 'remote.origin.pushurl', value: NO_PUSH },
  // Also stops a push without arguments.
  { key: 'push.default', value: 'nothing' },
  // The repositories of workers borrow objects of the store that no ref of the store names.
  { key: 'gc.pruneExpire', value: 'never' },
  // A worktree on a disk that is not mounted must not be pruned.
  { key: 'gc.worktreePruneExpire', value: 'never' },
];

/** Not in llmc's own configuration: llmc itself pushes to the source. */
export const AGENT_SETTINGS: readonly Setting[] = [
  // The empty prefix matches every address, also the source's path, and no option or hook of the agent's git leaves it out (git 2.39).
  { key: `url.${NO_PUSH}.pushInsteadOf`, value: '' },
];

/** In the repository of a sandboxed worker: it cannot reach the source, and fetches main from the store. */
export const storeOrigin = (root: string): readonly Setting[] => [
  { key: 'remote.origin.url', value: storeFolder(root) },
  { key: 'remote.origin.fetch', value: '+refs/remotes/origin/*:refs/remotes/origin/*' },
];

/** Only in llmc's own configuration. They win over the user's settings. */
export const PRIVATE_SETTINGS: readonly Setting[] = [
  // Worktrees have a work tree, because each call names one. The clone itself has none.
  { key: 'core.bare', value: 'true' },
  // git follows a link in place of a log and appends to the file behind it. HEAD of a worktree still has its log.
  { key: 'core.logAllRefUpdates', value: 'false' },
  { key: 'core.hooksPath', value: '/dev/null' },
  { key: 'core.fsmonitor', value: 'false' },
  // An agent writes the index. With this cache, it could say which folders have no untracked files.
  { key: 'core.untrackedCache', value: 'false' },
  // git does not compare these files with the objects they describe, so they could name another tree or parent.
  { key: 'core.commitGraph', value: 'false' },
  { key: 'core.multiPackIndex', value: 'false' },
  { key: 'submodule.recurse', value: 'false' },
  { key: 'protocol.ext.allow', value: 'never' },
  // This folder does not list the worktrees, so a clean-up from here could delete what only their index has.
  { key: 'gc.auto', value: '0' },
  { key: 'maintenance.auto', value: 'false' },
];

/** git writes names of sections and settings in lower case, and keeps the part between them. */
export function canonical(key: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  return `${key.slice(0, first).toLowerCase()}${key.slice(first, last)}${key.slice(last).toLowerCase()}`;
}

/** What git-lfs writes into a repository (`git lfs install --local`). Any other value may be a command of an agent. */
const LFS: Readonly<Record<string, string>> = {
  'filter.lfs.clean': 'git-lfs clean -- %f',
  'filter.lfs.smudge': 'git-lfs smudge -- %f',
  'filter.lfs.process': 'git-lfs filter-process',
  'filter.lfs.required': 'true',
};

/** Settings that a person, `git submodule init` or git-lfs writes into the clone. They take effect in llmc's own calls too. */
const ADOPTED: readonly RegExp[] = [
  /^(user|author|committer)\.(name|email)$/,
  /^user\.useconfigonly$/,
  /^submodule\..+\.(url|active)$/,
  /^lfs\.repositoryformatversion$/,
];

export const isAdopted = ({ key, value }: Setting): boolean => LFS[key] === value || ADOPTED.some((rule) => rule.test(key));

/** Settings that describe the repository and its disk. `git clone` finds them out; llmc reads them once. */
export const isFormat = ({ key, value }: Setting): boolean =>
  /^core\.(filemode|ignorecase|precomposeunicode|symlinks)$/.test(key) ||
  (key === 'core.repositoryformatversion' && /^[01]$/.test(value)) ||
  (key === 'extensions.objectformat' && /^sha(1|256)$/.test(value)) ||
  (key === 'extensions.refstorage' && value === 'files');

/**
 * Settings that can neither run a program nor point git at another file or address. They stay in the clone's configuration, where
 * only agents read them. The list says what is allowed: git gets new settings that run programs.
 */
const HARMLESS: readonly RegExp[] = [
  /^core\.(bare|filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths|quotepath|abbrev)$/,
  /^core\.(whitespace|commentchar|preloadindex|untrackedcache|trustctime|checkstat|splitindex|sparsecheckout(cone)?|commitgraph)$/,
  /^extensions\.worktreeconfig$/,
  /^user\.signingkey$/,
  /^branch\./,
  /^submodule\.(active|recurse|.+\.(branch|ignore|shallow|fetchrecursesubmodules))$/,
  // Other remotes than `origin`: llmc uses none of them.
  /^remote\.(?!origin\.).+\.(url|pushurl|fetch|push|tagopt|prune|skipdefaultupdate|skipfetchall)$/,
  /^remote\.origin\.(fetch|tagopt|prune|gh-resolved)$/,
  /^push\.(autosetupremote|followtags)$/,
  /^(advice|am|apply|blame|checkout|color|column|feature|fetch|i18n|index|log|maintenance|notes|pack|pull|rebase|rerere|stash|status|worktree)\.[^.]+$/,
  // The others of this section run a program (`gc.recentObjectsHook`).
  /^gc\.(auto|autodetach|autopacklimit|pruneexpire|reflogexpire|reflogexpireunreachable|worktreepruneexpire|writecommitgraph)$/,
  /^color\.[^.]+\.[^.]+$/,
  /^merge\.(conflictstyle|ff|log|renamelimit|renames|stat|autostash|verbosity)$/,
  /^diff\.(algorithm|colormoved|colormovedws|context|interhunkcontext|indentheuristic|mnemonicprefix|noprefix|renames|renamelimit|wserrorhighlight)$/,
  /^(commit|tag)\.(gpgsign|verbose|cleanup|status|sort)$/,
  /^lfs\..+\.(access|locksverify)$/,
];

export function isHarmless(setting: Setting): boolean {
  const { key, value } = setting;
  if (isAdopted(setting) || isFormat(setting)) return true;
  // husky and others point at a folder of the worktree. An agent's own git runs what is in it, and llmc's does not.
  if (key === 'core.hookspath') return !value.startsWith('/') && !value.startsWith('~') && !value.split('/').includes('..');
  if (/^submodule\..+\.update$/.test(key)) return /^(checkout|rebase|merge|none)$/.test(value);
  return HARMLESS.some((rule) => rule.test(key));
}
