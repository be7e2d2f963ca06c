import { chownSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Processes } from '../../src/base/ports.ts';
import { snapshot } from '../../src/git/rescue/snapshot.ts';
import { openGit } from '../../src/git/run.ts';
import { makeWalls } from '../../src/sandbox/walls.ts';
import { systemFiles } from '../../src/system/files/system-files.ts';
import { userTest } from '../support/scratch-user.ts';
import { userWorker } from '../support/user-worker.ts';

const NO_GITLINKS = { all: [], readable: [] };

userTest('a rescue reads an index that is a link to a secret only with the rights of the agent', async () => {
  await using adam = await userWorker();
  const { repo, layout } = adam;
  const secret = join(repo.home, 'secret');
  systemFiles.writePrivate(secret, 'precious');
  await adam.agent(`echo x > new.txt; ln -sf '${secret}' "$(git rev-parse --git-dir)/index"`);
  const seen: string[] = [];
  // The agent looks into the scratch folders of llmc after each process.
  const processes: Processes = {
    async run(command, options) {
      const finished = await repo.processes.run(command, options);
      seen.push((await adam.agent(`cat ${tmpdir()}/llmc-private-*/* 2>&1`)).text);
      return finished;
    },
  };
  const git = openGit(processes, { walls: makeWalls(layout, existsSync, repo.home) });
  await expect(snapshot(git, adam.worktree, adam.base, NO_GITLINKS)).rejects.toThrow();
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.join('\n')).not.toContain('precious');
});

userTest('a worktree with hard links to files of root, as package managers make them, is given away without those files', async () => {
  await using adam = await userWorker();
  const { worktree, user, repo } = adam;
  const [cached, deep] = [join(repo.dir, 'cached.js'), join(worktree, 'node_modules/deep')];
  writeFileSync(cached, 'precious');
  mkdirSync(deep, { recursive: true });
  linkSync(cached, join(deep, 'linked.js'));
  writeFileSync(join(deep, 'own.js'), 'own');
  symlinkSync(cached, join(deep, 'symbolic.js'));
  chownSync(worktree, 0, 0);
  await adam.settle();
  expect(lstatSync(cached).uid).toBe(0);
  for (const path of [worktree, deep, join(deep, 'own.js'), join(worktree, '.git')]) expect(lstatSync(path).uid).toBe(user.uid);
  expect((await adam.agent('cat node_modules/deep/linked.js; echo bad >> node_modules/deep/linked.js')).text).toMatch(/^precious.*denied/s);
  expect((await adam.agent('rm -r node_modules && git status --porcelain')).status).toBe(0);
  expect(readFileSync(cached, 'utf8')).toBe('precious');
});
