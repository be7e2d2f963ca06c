import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { initInside, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { unreadFolders } from '../worktree/status.ts';
import { requireWhole, saveRescue } from './rescue.ts';

/** A file whose path is too long for git, but not for a deletion folder by folder. */
const DIG = `const fs = require('node:fs');
for (let depth = 0; depth < 25; depth += 1) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }
fs.writeFileSync('precious', 'mine');`;

/** Node deletes by whole paths, so the test deletes the folder itself. */
function deepFolder(at: string): Disposable {
  expect(spawnSync(process.execPath, ['-e', DIG], { cwd: at })).toMatchObject({ status: 0 });
  return { [Symbol.dispose]: () => spawnSync('rm', ['-rf', join(at, 'd'.repeat(200))]) };
}

test.each(['.', 'inner'])('a file in %s whose path is too long for git is missed, so nothing may be destroyed', async (below) => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  if (below !== '.') await repo.commit('Inside', { file: 'x\n' }, await initInside(repo, path, below));
  using _ = deepFolder(join(path, below));
  const saved = await saveRescue(repo.git, { root, worktree: path, worker: 'adam', base, reason: 'nuke', now: 0 });
  expect(saved?.missed).toEqual([expect.stringMatching(/could not open directory 'd{100,}…[d/]+/)]);
  expect(() => requireWhole(saved, path)).toThrow(expect.objectContaining({ code: 'WORK_NOT_SAVED' }));
});

test('a folder is named once, and other warnings are not folders', () => {
  const line = `warning: could not open directory 'a/': Permission denied\n`;
  expect(unreadFolders(`${line}${line}warning: in the working copy of 'x', LF will be replaced by CRLF\n`)).toEqual([
    `could not open directory 'a/': Permission denied`,
  ]);
});
