import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ScratchRepo } from '../support/scratch-repo.ts';
import { snapshot } from '../support/snapshot.ts';
import { checkoutOf, isCheckedOut, type Situation } from './situation.ts';

/** Everything of the user that llmc could change. */
export interface Picture {
  readonly files: Readonly<Record<string, string>>;
  readonly stashes: string;
  /** The entries of the index of the checkout of main, by path. */
  readonly index: ReadonlyMap<string, string>;
}

export function pictureOf(repo: ScratchRepo, situation: Situation): Picture {
  const stashes = join(repo.path, '.git/logs/refs/stash');
  return {
    files: snapshot(repo.path, join(repo.dir, 'remote'), ...(situation === 'linked' ? [checkoutOf(repo, situation)] : [])),
    stashes: existsSync(stashes) ? readFileSync(stashes, 'utf8') : '',
    index: situation === 'bare' ? new Map() : indexOf(checkoutOf(repo, situation)),
  };
}

function indexOf(checkout: string): ReadonlyMap<string, string> {
  const entries = execFileSync('git', ['ls-files', '--stage', '-z'], { cwd: checkout, encoding: 'utf8' }).split('\0').filter(Boolean);
  return new Map(entries.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry]));
}

const differing = (before: Picture, after: Picture): readonly string[] => [
  ...Object.keys({ ...before.files, ...after.files }).filter((path) => before.files[path] !== after.files[path]),
  ...(before.stashes === after.stashes ? [] : ['the stashes']),
];

/** What differs, before anything has landed: nothing may, except that a landing that was refused has brought its objects. */
export function touched(repo: ScratchRepo, before: Picture, after: Picture, { refused = false } = {}): readonly string[] {
  return differing(before, after)
    .map((path) => relative(repo.dir, path))
    .filter((path) => !refused || !/^source\/(?:\.git\/)?objects\//.test(path));
}

/** What differs besides what a landing has to write: main, its reflog and objects, and the landed files where main is checked out. */
export function touchedByLanding(
  repo: ScratchRepo,
  situation: Situation,
  { before, after, landed }: { readonly before: Picture; readonly after: Picture; readonly landed: readonly string[] },
): readonly string[] {
  const gitDir = situation === 'bare' ? repo.path : join(repo.path, '.git');
  const checkedOut = isCheckedOut(situation);
  const administration = situation === 'linked' ? join(gitDir, 'worktrees', 'linked-ü') : gitDir;
  const own = checkedOut ? ['index', 'ORIG_HEAD'].map((name) => join(administration, name)) : [];
  const written = checkedOut ? landed.map((path) => join(checkoutOf(repo, situation), path)) : [];
  const isExpected = (path: string) =>
    path === join(gitDir, 'refs/heads/main') ||
    ['objects', 'lfs'].some((folder) => `${path}/`.startsWith(`${join(gitDir, folder)}/`)) ||
    own.includes(path) ||
    written.some((file) => file === path || file.startsWith(`${path}/`));
  const staged = [...before.index].filter(([path, entry]) => !landed.includes(path) && after.index.get(path) !== entry);
  return [
    ...differing(before, after)
      .filter((path) => !isExpected(path))
      .map((path) => relative(repo.dir, path)),
    ...staged.map(([path]) => `the index entry of ${path}`),
  ];
}
