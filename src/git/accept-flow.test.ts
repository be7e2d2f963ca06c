import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { dirtyFiles } from './inspect.ts';
import { land } from './landing/land.ts';
import { composeMessage } from './landing/message.ts';
import { hashPatch } from './landing/patch.ts';
import { moveBranch, squashOnto } from './landing/squash.ts';
import { changedGitlinks, unknownGitlinks } from './landing/unknown-gitlinks.ts';
import { predictConflicts } from './rebase/conflict.ts';
import { rebaseOnto } from './rebase/rebase.ts';
import { findRescue, saveRescue } from './rescue/rescue.ts';
import { restoreInto } from './rescue/rescue-restore.ts';
import type { Git } from './run.ts';
import { openGit, outside } from './run.ts';
import { fetchMain } from './source/fetch.ts';
import { resetInPlace } from './worktree/reset.ts';

/** The steps of an accept in their order, as the pieces of this folder are meant to be put together. */
async function accept(git: Git, root: string, source: string, worktree: string, worker: string): Promise<string> {
  const onto = await fetchMain(git, root, 'main', source);
  const rebased = await rebaseOnto(git, worktree, onto);
  if (rebased.kind !== 'clean' && rebased.kind !== 'up-to-date') throw new Error(rebased.kind);
  const squashed = await squashOnto(outside(git), worktree, onto, (commits) =>
    composeMessage(
      commits.map((commit) => commit.message),
      ['co-authored-by:*'],
    ),
  );
  if (squashed.kind === 'nothing') throw new Error('nothing');
  await moveBranch(git, worktree, squashed);
  expect(await land(git, { source, root, branch: 'main', sha: squashed.sha, onto, reviewed: null })).toMatchObject({ kind: 'landed' });
  await resetInPlace(git, worktree, squashed.sha, `llmc/${worker}`);
  return squashed.sha;
}

const workers = ['adam', 'baker', 'clara', 'dora', 'emil', 'fritz', 'gina', 'hugo'];

async function working(repo: ScratchRepo, count = workers.length) {
  const { root, source, base, worktree } = await scratchRoot(repo);
  // All at once, as when a fleet starts: git's locks must not make one of them fail.
  const paths = await Promise.all(workers.slice(0, count).map(worktree));
  for (const [index, path] of paths.entries()) {
    await repo.commit(`Begin ${index}\n\nCo-Authored-By: Agent <a@b>`, { [`file ${index}`]: '1\n' }, path);
    await repo.commit(`End ${index}`, { [`file ${index}`]: '1\n2\n' }, path);
  }
  return { root, source: source.path, base, paths };
}

test('eight workers accepted in a row leave eight commits in a line and clean worktrees', async () => {
  await using repo = await scratchRepo();
  const { root, source, base, paths } = await working(repo);
  const reviewed = await Promise.all(paths.map((path) => hashPatch(repo.git, path, base)));
  const landed: string[] = [];
  for (const [index, path] of paths.entries()) {
    const sha = await accept(repo.git, root, source, path, workers[index] ?? '');
    expect(await hashPatch(repo.git, path, `${sha}~1`, sha)).toBe(reviewed[index]);
    expect(await dirtyFiles(repo.git, path)).toEqual([]);
    landed.push(sha);
  }
  expect((await repo.run(['rev-list', '--reverse', '--parents', `${base}..main`])).split('\n')).toEqual(
    landed.map((sha, index) => `${sha} ${landed[index - 1] ?? base}`),
  );
  expect(await repo.run(['log', '--format=%B', `${base}..main`])).not.toMatch(/Co-Authored-By/i);
  expect(await repo.run(['status', '--porcelain'])).toBe('');
  // Of what has landed, a rescue keeps only the commits from before the rebase.
  await fetchMain(repo.git, root, 'main', source);
  for (const [index, worktree] of paths.entries()) {
    const worker = workers[index] ?? '';
    await saveRescue(repo.git, { root, worktree, worker, base: 'refs/remotes/origin/main', reason: 'x', now: 0 });
    expect(await findRescue(repo.git, root, worker)).toMatchObject({ files: 0, commits: 0 });
  }
});

test('pending reviews rebase side by side after one of them has landed', async () => {
  await using repo = await scratchRepo();
  const { root, source, paths } = await working(repo);
  const [first = '', ...others] = paths;
  await accept(repo.git, root, source, first, 'adam');
  const main = await fetchMain(repo.git, root, 'main', source);
  const outcomes = await Promise.all(others.map((path) => rebaseOnto(repo.git, path, main)));
  expect(outcomes.map((outcome) => outcome.kind)).toEqual(others.map(() => 'clean'));
});

test('a machine on which git knows no one lands all the same', async () => {
  await using repo = await scratchRepo({ identity: false });
  await repo.run(['config', 'user.useConfigOnly', 'true']);
  const { root, source, paths } = await working(repo, 1);
  const sha = await accept(repo.git, root, source, paths[0] ?? '', 'adam');
  expect(await repo.run(['log', '-1', '--format=%H %an <%ae>', 'main'])).toBe(`${sha} llmc <llmc@localhost>`);
});

/** git 2.39 does not accept it in `checkout` and `reset`, and `rev-parse` prints it unless it verifies. */
const TAKES_END_OF_OPTIONS = new Set([
  'rebase',
  'merge',
  'merge-tree',
  'merge-base',
  'commit-tree',
  'read-tree',
  'rev-list',
  'log',
  'diff-tree',
]);

test('no revision can be an option: each follows --end-of-options', async () => {
  await using repo = await scratchRepo();
  const { root, source, base, paths } = await working(repo, 1);
  const calls: (readonly string[])[] = [];
  const run: typeof repo.processes.run = (command, options) => {
    calls.push(command.args);
    return repo.processes.run(command, options);
  };
  const git = openGit({ ...repo.processes, run }, { guard: { root, source: async () => repo.path, onTampering: () => undefined } });
  await repo.commit('Meanwhile', { other: 'x\n' });
  const [worktree = ''] = paths;
  await repo.write('loose', 'l\n', worktree);
  const request = { root, worktree, worker: 'adam', branch: 'llmc/adam', base: 'refs/remotes/origin/main', reason: 'x', now: 0 };
  await saveRescue(git, request);
  await resetInPlace(git, worktree, base, 'llmc/adam');
  await restoreInto(git, { ...request, now: 1_000 }, await findRescue(git, root, 'adam'));
  await repo.run(['clean', '-fdq'], worktree);
  await predictConflicts(git, worktree, 'origin/main', 'HEAD');
  await unknownGitlinks(git, worktree, await changedGitlinks(git, worktree, base, 'HEAD'));
  await accept(git, root, source, worktree, 'adam');
  const named = calls.map((args) =>
    args.filter((_, index) => args[index - 1] !== '-c' && args[index - 1] !== '-C' && args[index] !== '-c' && args[index] !== '-C'),
  );
  const relevant = named.filter(([subcommand = '']) => TAKES_END_OF_OPTIONS.has(subcommand));
  expect(new Set(relevant.map(([subcommand]) => subcommand))).toEqual(TAKES_END_OF_OPTIONS);
  // On standard input, a rescue names only commits that git has listed.
  expect(relevant.filter((args) => !args.includes('--end-of-options') && !args.includes('--stdin'))).toEqual([]);
});
