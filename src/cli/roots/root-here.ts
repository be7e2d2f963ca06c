import { isAbsolute, join, resolve, sep } from 'node:path';
import { readConfigLeniently } from '../../config/read-config-leniently.ts';
import { type FoundRepository, repositoryAround } from '../../git/source/repository-around.ts';
import { type KnownRoot, knownRoots } from '../../store/known-roots.ts';
import { makeLayout } from '../../store/layout.ts';
import { exists, isFreePlace, readText, realPath } from '../../system/files/files.ts';
import { homeFolder } from '../../system/home.ts';
import { lacksConfig } from '../../workers/remains.ts';

/** The root of a command that names none with `--root`. */
export type RootHere =
  | { readonly kind: 'named' | 'found'; readonly root: string }
  /** The repository has no root yet; `root` is where `llmc init` makes it. */
  | { readonly kind: 'missing'; readonly root: string; readonly repository: FoundRepository }
  /** Outside any repository. */
  | { readonly kind: 'outside'; readonly root: string };

let here: RootHere | undefined;

/** The root for the folder of this process: `LLMC_ROOT`, else the root around it, else the root of its repository, else `~/llmc`. */
export function rootHere(): RootHere {
  here ??= findRoot(process.cwd(), process.env);
  return here;
}

/** To be called after a change of the roots on disk. */
export function lookForRootAgain(): void {
  here = undefined;
}

export function homeRoot(): string {
  return join(homeFolder(), 'llmc');
}

/** Where the roots of this user are recorded. */
export function rootsFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: state = '' } = env;
  return join(isAbsolute(state) ? state : join(homeFolder(), '.local', 'state'), 'llmc', 'roots');
}

/** Whether a root is there, perhaps without its config.toml. */
export function isThere(root: string): boolean {
  const layout = makeLayout(root);
  return exists(layout.config) || lacksConfig(layout);
}

/** The recorded roots, and `~/llmc` even if it is not recorded. What lies in the worktrees of another root was made by an agent. */
export function allRoots(): readonly KnownRoot[] {
  const recorded = knownRoots(rootsFolder());
  const worktrees = recorded.map(({ root }) => `${makeLayout(root).worktrees}${sep}`);
  const known = recorded.filter(({ root }) => !worktrees.some((folder) => resolve(root).startsWith(folder)));
  const home = homeRoot();
  if (known.some(({ root }) => root === home) || !isThere(home)) return known;
  return [{ root: home, repository: findRepository(home) ?? '' }, ...known];
}

/** The repository that the config.toml of a root names; undefined if it is gone. */
export function findRepository(root: string): string | undefined {
  const { config } = makeLayout(root);
  const source = exists(config) ? readConfigLeniently(readText(config)).source : '';
  return source === '' ? undefined : repositoryAround(source)?.gitDir;
}

/** The root of a repository. Of several, `~/llmc`, else the one that was made first. */
export function chooseRoot(repository: FoundRepository): string | undefined {
  const home = homeRoot();
  const own = allRoots().filter((known) => belongsTo(known, repository) && isThere(known.root));
  return (own.find(({ root }) => root === home) ?? own[0])?.root;
}

/** The config.toml may name another repository than at the time of the record. Without one to read, the record counts. */
function belongsTo({ root, repository: recorded }: KnownRoot, { gitDir }: FoundRepository): boolean {
  if (recorded !== gitDir && root !== homeRoot()) return false;
  return (findRepository(root) ?? recorded) === gitDir;
}

/** Where the root of a repository can be made: the first place that is free, or that has its root already. */
export function placeFor(repository: FoundRepository): string {
  const home = homeRoot();
  const name = repository.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || 'repository';
  for (let count = 0; ; count++) {
    const place = count === 0 ? home : `${home}-${name}${count === 1 ? '' : `-${count}`}`;
    if (isFreePlace(place) || (isThere(place) && findRepository(place) === repository.gitDir)) return place;
  }
}

function findRoot(folder: string, env: NodeJS.ProcessEnv): RootHere {
  if (env.LLMC_ROOT) return { kind: 'named', root: resolve(env.LLMC_ROOT) };
  // The worktree of a worker lies in its root. An agent can write a .git there that leads elsewhere: the place counts.
  const around = allRoots().find(({ root }) => isThere(root) && isInside(folder, root));
  if (around !== undefined) return { kind: 'found', root: around.root };
  // An agent has its root by LLMC_ROOT, and no business in another one.
  const repository = env.LLMC_WORKER ? undefined : repositoryAround(folder);
  if (repository === undefined) return { kind: exists(makeLayout(homeRoot()).config) ? 'found' : 'outside', root: homeRoot() };
  const root = chooseRoot(repository);
  return root === undefined ? { kind: 'missing', root: placeFor(repository), repository } : { kind: 'found', root };
}

function isInside(folder: string, root: string): boolean {
  return `${folder}${sep}`.startsWith(`${realPath(root)}${sep}`);
}
