import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { userTest } from '../../../test/support/scratch-user.ts';
import { userWorker } from '../../../test/support/user-worker.ts';
import { walledTest } from '../../../test/support/walled-test.ts';
import { type WalledWorker, walledWorker } from '../../../test/support/walled-worker.ts';
import { exchange } from '../exchange/exchange.ts';
import { outside } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { beginRebase } from './begin-rebase.ts';
import { passCommit } from './pass-commit.ts';
import { readSituation } from './stopped-rebase.ts';

const COMMIT = 'git -c user.name=A -c user.email=a@b commit --quiet --all -m';

type Inside = Pick<WalledWorker, 'git' | 'root' | 'worktree' | 'repo' | 'agent' | 'canary'>;

async function resolvesConflict(worker: Inside): Promise<void> {
  const { git, root, worktree: at, repo, agent, canary } = worker;
  expect(
    await agent(`echo worker > README.md && ${COMMIT} First && echo more > more.txt && git add more.txt && ${COMMIT} Second`),
  ).toMatchObject({ status: 0 });
  await repo.commit('Main', { 'README.md': 'main\n' });
  const onto = await fetchMain(git, root, 'main', repo.path);
  await exchange(git, root, at);
  const head = (await git.ok({ at, access: 'read', args: ['rev-parse', 'HEAD'] })).trim();
  const rebasing = { head, onto };
  expect(await beginRebase(git, at, { onto, after: onto, branch: 'llmc/adam' })).toEqual({ kind: 'stopped' });
  const stopped = await readSituation(git, at, rebasing);
  expect(stopped).toMatchObject({ kind: 'stopped', unmerged: ['README.md'], head: onto });
  const attack = `printf 'exec touch ${canary}\\n' >> $(git rev-parse --git-path rebase-merge/git-rebase-todo)`;
  expect(await agent(`printf 'main\\nworker\\n' > README.md && git add README.md && ${attack}`)).toMatchObject({ status: 0 });
  const commit = stopped.kind === 'stopped' ? (stopped.commit ?? '') : '';
  expect(await passCommit(git, at, { ...rebasing, branch: 'llmc/adam', commit, from: onto })).toEqual({ kind: 'over' });
  expect(existsSync(canary)).toBe(false);
  expect(await readSituation(git, at, rebasing)).toMatchObject({ kind: 'over', at: 'onto-main', branch: 'llmc/adam' });
  await exchange(git, root, at);
  const log = await outside(git).ok({ at, access: 'read', args: ['log', '--format=%s', `${onto}..HEAD`] });
  expect(log).toBe('Second\nFirst\n');
}

walledTest('a conflicting rebase begins, stops and is passed inside the sandbox', async () => {
  await using worker = await walledWorker();
  await resolvesConflict(worker);
});

userTest('a conflicting rebase begins, stops and is passed as the user of the agent', async () => {
  await using worker = await userWorker();
  await resolvesConflict(worker);
  // What git wrote belongs to the agent: it can go on with its work.
  expect(await worker.agent(`echo later > more.txt && ${COMMIT} Later`)).toMatchObject({ status: 0 });
});
