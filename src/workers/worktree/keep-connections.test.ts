import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { ownRepository, privateFolder } from '../../git/private/place.ts';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import { openGit } from '../../git/run.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { pointOriginAt } from '../../git/source/origin.ts';
import { linkState } from '../../git/worktree/link.ts';
import { tamperingSince } from '../../store/tables/history.ts';
import { makeRunWorker } from '../tasks/run-worker.ts';
import { keepConnections } from './keep-connections.ts';

const REVIEWER = { name: 'swarm-1-reviewer', run: 'swarm-1', role: 'reviewer', agent: 'demo', model: undefined };

test('a worktree that lost its link gets it back, and the agent is named; not while llmc itself removes the worktree', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const { worktree_path: path } = await makeRunWorker(context, REVIEWER);
  rmSync(join(path, '.git'));
  const state = () => linkState(context.layout.root, path).kind;
  const reported = () => tamperingSince(context.store.database, 0)?.worker;
  await context.locks.withLock(REVIEWER.name, () => keepConnections(context));
  expect([state(), reported()]).toEqual(['cut', undefined]);
  await keepConnections(context);
  expect([state(), reported()]).toEqual(['whole', REVIEWER.name]);
});

test('a link above the repository of one worker, or a file in it, does not keep the others from getting their link back', async () => {
  await using work = await scratchWork();
  const { context, repo, worktree } = work;
  const { root } = context.layout;
  const { worktree_path: path } = await makeRunWorker(context, REVIEWER);
  renameSync(context.layout.sandbox('adam'), join(repo.dir, 'moved'));
  symlinkSync(join(repo.dir, 'nowhere'), context.layout.sandbox('adam'));
  rmSync(join(path, '.git'));
  await keepConnections(context);
  expect(linkState(root, path).kind).toBe('whole');
  expect(work.said.some((line) => line.startsWith('adam: ') && line.includes('is a link'))).toBe(true);
  rmSync(context.layout.sandbox('adam'));
  renameSync(join(repo.dir, 'moved'), context.layout.sandbox('adam'));
  await repo.commit('Work', { 'a.txt': 'a\n' }, worktree);
  rmSync(join(ownRepository(root, 'adam'), 'rr-cache'), { recursive: true });
  writeFileSync(join(ownRepository(root, 'adam'), 'rr-cache'), '');
  rmSync(privateFolder(root, 'adam'), { recursive: true, force: true });
  await pointOriginAt(openGit(repo.processes, { guard: { root, source: async () => repo.path, onTampering: () => undefined } }), repo.path);
  await repo.commit('Main', { 'm.txt': 'm\n' });
  const main = await fetchMain(repo.git, root, 'main', repo.path);
  expect(await rebaseOnto(repo.git, worktree, main)).toMatchObject({ kind: 'clean' });
});
