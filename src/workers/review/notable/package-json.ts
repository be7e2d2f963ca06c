import { isDeepStrictEqual } from 'node:util';
import { duplicateKeys } from './duplicate-keys.ts';

/** npm runs these without being told their names: at an installation, a publication or a new version. */
const LIFE_CYCLE =
  /^(?:(?:pre|post)?(?:install|prepare|uninstall|publish|pack|version|shrinkwrap)|prepublish(?:Only)?|postpublish|dependencies|preprepare|postprepare)$/;
/** `npm test` and the like run the scripts before and after these, also if the script itself is missing. */
const BUILT_IN = ['test', 'start', 'stop', 'restart'];
const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'catalog',
  'catalogs',
];
/** Keys that make a program run, or let packages run their scripts. */
const ACTING = [
  'packageManager',
  'devEngines',
  'workspaces',
  'gypfile',
  'pnpm',
  'trustedDependencies',
  'allowScripts',
  'onlyBuiltDependencies',

  'husky',
  'lint-staged',
  'simple-git-hooks',
  'pre-commit',
  'pre-push',
  'gitHooks',
  'ghooks',
  'bundleDependencies',
  'bundledDependencies',
];

/** What a change of a package.json makes run, as short names such as `scripts.postinstall`. */
export interface PackageChange {
  readonly found: readonly string[];
  /** The commands that run by themselves after the change. */
  readonly commands: readonly string[];
}

/**
 * Compares both sides of a package.json as npm reads them. `isUsed`: whether a line of the user names this script, such as `npm test`.
 * Undefined stands for a side without the file.
 */
export function comparePackages(before: string | undefined, after: string | undefined, isUsed: (script: string) => boolean): PackageChange {
  if (after === undefined) return { found: [], commands: [] };
  const [old, now] = [parse(before ?? '{}'), parse(after)];
  if (now === undefined) return { found: ['it is not valid JSON, so nobody can say what npm runs'], commands: [] };
  const twice = duplicateKeys(after).filter((path) => !duplicateKeys(before ?? '').includes(path));
  const [scripts, were] = [textsIn(now.scripts), textsIn(old?.scripts)];
  const acting = actingScripts(new Map([...were, ...scripts]), isUsed);
  const names = [...new Set([...scripts.keys(), ...were.keys()])];
  return {
    found: [
      ...names.filter((name) => acting.has(name) && scripts.get(name) !== were.get(name)).map((name) => `scripts.${name}`),
      ...twice.map((path) => `${path} stands there twice`),
      ...foreign(now, old),
      ...ACTING.filter((key) => !isDeepStrictEqual(now[key], old?.[key])),
    ],
    commands: [...scripts].filter(([name]) => acting.has(name)).map(([, command]) => command),
  };
}

/** Scripts that run by themselves or by a line of the user, and those that they start in turn. */
function actingScripts(scripts: ReadonlyMap<string, string>, isUsed: (script: string) => boolean): ReadonlySet<string> {
  const acting = new Set<string>();
  const add = (name: string) => {
    if (acting.has(name)) return;
    acting.add(name);
    for (const around of [`pre${name}`, `post${name}`]) if (scripts.has(around)) add(around);
    const words = new Set((scripts.get(name) ?? '').split(/[\s"'`;&|()]+/));
    for (const other of scripts.keys()) if (words.has(other)) add(other);
  };
  for (const name of scripts.keys()) {
    const [, main = ''] = /^(?:pre|post)(.+)$/.exec(name) ?? [];
    if (LIFE_CYCLE.test(name) || isUsed(name) || (main !== '' && (scripts.has(main) || BUILT_IN.includes(main)))) add(name);
  }
  return acting;
}

/** Dependencies that come from an address, a folder or under another name, and not from the registry under their own. */
function foreign(now: Fields, old: Fields | undefined): readonly string[] {
  return DEPENDENCIES.flatMap((section) => {
    const were = new Map(versionsIn(old?.[section], section));
    return versionsIn(now[section], section)
      .filter(([path, version]) => isForeign(version) && were.get(path) !== version)
      .map(([path, version]) => `${path}: ${version}`);
  });
}

function isForeign(version: string): boolean {
  if (/^(?:workspace|catalog):/i.test(version)) return false;
  // `name/repository` is an address of GitHub. A version has neither a colon nor a slash.
  return /[:/]/.test(version) || /^\.{1,2}$/.test(version);
}

function versionsIn(value: unknown, path: string): readonly (readonly [path: string, version: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => versionsIn(inner, `${path}.${key}`));
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function textsIn(value: unknown): ReadonlyMap<string, string> {
  if (!isFields(value)) return new Map();
  return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
