import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberRoot } from '../../store/known-roots.ts';
import { namedRoots } from './named-roots.ts';
import { rootsFolder } from './root-here.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-named-')));
  for (const [name, value] of Object.entries({ HOME: home, XDG_STATE_HOME: '', LLMC_WORKER: '' })) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** A root of the repository at this place. */
function recorded(root: string, repository: string): string {
  const gitDir = join(home, repository, '.git');
  for (const name of ['objects', 'refs']) mkdirSync(join(gitDir, name), { recursive: true });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  const path = join(home, root);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'config.toml'), `[repo]\nsource = "${join(home, repository)}"\n`);
  rememberRoot(rootsFolder(), { root: path, repository: gitDir });
  return path;
}

const names = (known?: readonly string[]) => namedRoots(known).map(({ name }) => name);

test('repositories of the same name are told apart by their roots, and those that are gone are left out', () => {
  recorded('llmc', 'shop');
  recorded('llmc-shop', 'old/shop');
  recorded('llmc-blog', 'blog');
  rmSync(recorded('llmc-gone', 'gone'), { recursive: true });
  expect(names().toSorted()).toEqual(['blog', 'shop (llmc)', 'shop (llmc-shop)']);
});

test('a root that a link leads to is there once, as the caller spells it', () => {
  const root = recorded('llmc-shop', 'shop');
  const link = join(home, 'link');
  symlinkSync(root, link);
  expect(namedRoots([link])).toEqual([{ root: link, name: 'shop' }]);
  expect(namedRoots([root])).toEqual([{ root, name: 'shop' }]);
});

test('a root that is not recorded stays with the caller that knows it', () => {
  const root = recorded('llmc-shop', 'shop');
  rmSync(rootsFolder(), { recursive: true });
  expect([names(), names([root])]).toEqual([[], ['shop']]);
});

test('a record of a root in the worktree of another one is ignored', () => {
  const shop = recorded('llmc-shop', 'shop');
  recorded('llmc-shop/.worktrees/adam/trap', 'blog');
  recorded('llmc-shop/run/../.worktrees/adam/trap2', 'blog');
  expect(namedRoots()).toEqual([{ root: shop, name: 'shop' }]);
});
