import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import type { NotableRuleName } from './rules.ts';

/** A file whose parts act: what is compared of it, and by which rule. */
interface Manifest {
  readonly rule: NotableRuleName;
  readonly files: RegExp;
  /** Undefined for a text that cannot be parsed. */
  readonly parse: (text: string) => unknown;
  /** The paths of values that act. */
  readonly acting: readonly string[];
}

const MANIFESTS: readonly Manifest[] = [
  {
    rule: 'python',
    files: /(?:^|\/)pyproject\.toml$/iu,
    parse: parseToml,
    acting: [
      'build-system',
      'project.entry-points',
      'tool.pytest',
      'tool.hatch.build',
      'tool.hatch.envs',
      'tool.setuptools.cmdclass',
      'tool.poetry.build',

      'tool.pdm.build',
      'tool.pdm.scripts',
      'tool.uv.sources',
      'tool.uv.index',
      'tool.poetry.source',
      'tool.scikit-build',
      'tool.flit.scripts',
    ],
  },
  {
    rule: 'build',
    files: /(?:^|\/)Cargo\.toml$/iu,
    parse: parseToml,
    acting: ['package.build', 'package.links', 'lib.proc-macro', 'patch', 'replace'],
  },
  {
    rule: 'install',
    files: /(?:^|\/)composer\.json$/iu,
    parse: JSON.parse,
    acting: ['scripts', 'config.allow-plugins', 'repositories'],
  },
];

/** Lock files and lists of packages: a package from a host that main does not use is easily overlooked among thousands of lines. */
const LOCKS =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.(?:lock|toml)|(?:poetry|uv|pdm)\.lock|Pipfile(?:\.lock)?|composer\.lock|Gemfile(?:\.lock)?|requirements[^/]*\.txt|go\.mod|pyproject\.toml)$/iu;
const OF_A_PACKAGE = /resolved|tarball|source|registry|index|remote|replace|git|url|@/i;
const HOST = /(?:(?:https?|ssh|git):\/\/(?:[^\s"'@/]*@)?|git@)([^\s"'/:#?)}\]]+)/gi;
/** The registries that the programs use without being told. */
const USUAL = new Set([
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'pypi.org',
  'files.pythonhosted.org',
  'rubygems.org',
  'repo.packagist.org',
]);

export const isManifest = (path: string): boolean => LOCKS.test(path) || MANIFESTS.some(({ files }) => files.test(path));

/** What a change of such a file makes run, or brings from elsewhere. */
export function compareManifests(
  path: string,
  before: string | undefined,
  after: string,
): readonly { readonly rule: NotableRuleName; readonly found: readonly string[] }[] {
  const hosts = LOCKS.test(path) ? newHosts(before ?? '', after).map((host) => `packages from ${host}`) : [];
  return [
    ...(hosts.length === 0 ? [] : [{ rule: 'install' as const, found: hosts }]),
    ...MANIFESTS.filter(({ files }) => files.test(path)).flatMap((manifest) => {
      const found = changedParts(manifest, before, after);
      return found.length === 0 ? [] : [{ rule: manifest.rule, found }];
    }),
  ];
}

function changedParts({ parse, acting }: Manifest, before: string | undefined, after: string): readonly string[] {
  const [old, now] = [tried(parse, before ?? ''), tried(parse, after)];
  if (now === undefined) return ['it cannot be parsed, so nobody can say what it makes run'];
  return acting.filter((path) => !isDeepStrictEqual(at(now, path), at(old, path)));
}

function tried(parse: Manifest['parse'], text: string): unknown {
  try {
    return parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.entries(found).find(([name]) => name === key)?.[1];
  }
  return found;
}

function newHosts(before: string, after: string): readonly string[] {
  const known = hostsIn(before);
  return [...hostsIn(after)].filter((host) => !known.has(host) && !USUAL.has(host));
}

/** Of JSON, only the values that name a package count: the others are addresses of people and pages. */
function hostsIn(text: string): ReadonlySet<string> {
  const addresses: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (/^(?:resolved|version|dist|tarball|reference)$/.test(key) && typeof value === 'string') addresses.push(value);
      return value;
    });
  } catch {
    addresses.push(...text.split('\n').filter((line) => OF_A_PACKAGE.test(line)));
  }
  return new Set(addresses.flatMap((address) => [...address.matchAll(HOST)].map(([, host = '']) => host.toLowerCase())));
}
