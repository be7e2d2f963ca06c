import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { commitsBetween, parseCommits } from '../commits.ts';
import { exchange } from '../exchange/exchange.ts';
import { dirtyFiles, readCommitId } from '../inspect.ts';
import { outside } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { forgeHead } from './forge-head.fixture.ts';
import { composeMessage } from './message.ts';
import { commitTreeCall, moveBranch, moveHeadCall, squashOnto } from './squash.ts';

test('a commit is described by arguments, environment and its message on stdin', () => {
  const draft = {
    tree: 't',
    parents: ['p', 'q'],
    message: 'M\n\n',
    author: { name: 'A', email: 'a@b', date: '1 +0000' },
    committed: '2 +0000',
  };
  const { args, env, stdin } = commitTreeCall('/w', draft);
  expect(args).toEqual(['commit-tree', '-p', 'p', '-p', 'q', '-F', '-', '--end-of-options', 't']);
  expect(env).toEqual({ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_AUTHOR_DATE: '@1 +0000', GIT_COMMITTER_DATE: '@2 +0000' });
  expect(stdin).toBe('M\n');
  expect(moveHeadCall('/w', 'new', 'old').args).toEqual(['update-ref', '-m', 'llmc: squash', 'HEAD', 'new', 'old']);
});

test('records of the log are read with empty and long messages', () => {
  const text = 's\nt\np q\nN ame\ne@x\n1 +0200\n2 +0000\nSubject\n\nBody\n\0s2\nt2\n\nN\ne\n1 +0\n2 +0\n\0';
  expect(parseCommits(text)).toEqual([
    {
      sha: 's',
      tree: 't',
      parents: ['p', 'q'],
      author: { name: 'N ame', email: 'e@x', date: '1 +0200' },
      committed: '2 +0000',
      message: 'Subject\n\nBody',
    },
    { sha: 's2', tree: 't2', parents: [], author: { name: 'N', email: 'e', date: '1 +0' }, committed: '2 +0', message: '' },
  ]);
});

async function work(repo: ScratchRepo) {
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await repo.run(['config', 'user.name', 'First Author'], path);
  await repo.commit('One\n\nWith ä', { a: '1\n' }, path);
  await repo.run(['config', 'user.name', 'Second Author'], path);
  const head = await repo.commit('Two', { b: '2\n' }, path);
  return { root, base, path, head };
}

describe('squashing', () => {
  test('makes one commit with the files of HEAD, the first author and the given message, and moves nothing', async () => {
    await using repo = await scratchRepo();
    const { base, path, head } = await work(repo);
    const squashed = await squashOnto(outside(repo.git), path, base, 'Both\n\nBody');
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    expect(await repo.run(['rev-parse', `${squashed.sha}^`, `${squashed.sha}^{tree}`], path)).toBe(
      `${base}\n${await repo.run(['rev-parse', `${head}^{tree}`], path)}`,
    );
    expect(await repo.run(['log', '-1', '--format=%an|%B', squashed.sha], path)).toBe('First Author|Both\n\nBody');
    expect(await readCommitId(repo.git, path)).toBe(head);
  });

  test('again gives the same commit, also after the branch has moved there', async () => {
    await using repo = await scratchRepo();
    const { root, base, path } = await work(repo);
    const once = await squashOnto(outside(repo.git), path, base, 'Both');
    if (once.kind !== 'squashed') throw new Error(once.kind);
    expect(await squashOnto(outside(repo.git), path, base, 'Both')).toEqual(once);
    expect(await moveBranch(repo.git, path, once)).toEqual({ kind: 'moved' });
    expect(await dirtyFiles(repo.git, path)).toEqual([]);
    await exchange(repo.git, root, path);
    expect(await squashOnto(outside(repo.git), path, base, 'Both')).toMatchObject({ kind: 'unchanged', sha: once.sha });
    expect(await commitsBetween(repo.git, path, base)).toHaveLength(1);
  });

  test('a commit of the agent with a foreign committer, header and hidden text is made again without them', async () => {
    await using repo = await scratchRepo();
    const { base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('One', { a: '1\n' }, path);
    const forged = await forgeHead(repo, path, 'x-hidden payload', '\0text after the end');
    const made = await squashOnto(outside(repo.git), path, base, 'One');
    if (made.kind !== 'squashed') throw new Error(made.kind);
    const { sha } = made;
    const text = await repo.run(['cat-file', 'commit', sha], path);
    expect(sha).not.toBe(forged);
    for (const hidden of ['payload', 'text after', 'Forger']) expect(text).not.toContain(hidden);
  });

  test('a single commit with another message gets the new message', async () => {
    await using repo = await scratchRepo();
    const { base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('Old', { a: '1\n' }, path);
    const squashed = await squashOnto(outside(repo.git), path, base, 'New');
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    expect(await repo.run(['log', '-1', '--format=%s', squashed.sha], path)).toBe('New');
  });

  test('the message may be worded from the commits', async () => {
    await using repo = await scratchRepo();
    const { base, path } = await work(repo);
    const squashed = await squashOnto(outside(repo.git), path, base, (commits) =>
      composeMessage(
        commits.map((commit) => commit.message),
        ['co-authored-by:*'],
      ),
    );
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    expect(await repo.run(['log', '-1', '--format=%B', squashed.sha], path)).toBe('One\n\nWith ä\n\nTwo');
  });

  test('commits that cancel each other give nothing', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('There', { a: '2\n' }, path);
    await repo.commit('And back', { a: '1\n' }, path);
    expect(await squashOnto(outside(repo.git), path, base, 'M')).toEqual({ kind: 'nothing' });
  });

  test('no commits give nothing', async () => {
    await using repo = await scratchRepo();
    const { base, worktree } = await scratchRoot(repo);
    expect(await squashOnto(outside(repo.git), await worktree('adam'), base, 'M')).toEqual({ kind: 'nothing' });
  });

  test('onto a main the work does not build on is refused, for it would take main back', async () => {
    await using repo = await scratchRepo();
    const { root, path } = await work(repo);
    const moved = await repo.commit('Main', { c: '1\n' });
    await fetchMain(repo.git, root, 'main', repo.path);
    await expect(squashOnto(outside(repo.git), path, moved, 'M')).rejects.toMatchObject({
      code: 'GIT_FAILED',
      hint: expect.stringContaining('ebase'),
    });
  });

  test('work that merged main into itself becomes one ordinary commit', async () => {
    await using repo = await scratchRepo();
    const { root, path } = await work(repo);
    const moved = await repo.commit('Main', { c: '1\n' });
    await fetchMain(repo.git, root, 'main', repo.path);
    await repo.run(['merge', '--quiet', '--no-edit', moved], path);
    const squashed = await squashOnto(outside(repo.git), path, moved, 'M');
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    expect(await repo.run(['log', '-1', '--format=%P', squashed.sha], path)).toBe(moved);
    expect(await repo.run(['diff', '--name-only', moved, squashed.sha], path)).toBe('a\nb');
  });

  test('names llmc as committer only where git knows none', async () => {
    await using repo = await scratchRepo();
    const { root, base, path } = await work(repo);
    await repo.run(['config', '--remove-section', 'user'], root);
    await repo.run(['config', 'user.useConfigOnly', 'true'], root);
    const squashed = await squashOnto(outside(repo.git), path, base, 'M');
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    expect(await repo.run(['log', '-1', '--format=%an|%cn <%ce>', squashed.sha], path)).toBe('First Author|llmc <llmc@localhost>');
  });
});

describe('moving the branch', () => {
  test('goes from a commit to one with the same files', async () => {
    await using repo = await scratchRepo();
    const { base, path, head } = await work(repo);
    const squashed = await squashOnto(outside(repo.git), path, base, 'Both');
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    expect(squashed.tip).toBe(head);
    expect(await repo.run(['rev-parse', `${squashed.sha}^{tree}`], path)).toBe(await repo.run(['rev-parse', `${head}^{tree}`], path));
  });

  test('says when the agent has committed meanwhile, and when it is done already', async () => {
    await using repo = await scratchRepo();
    const { base, path, head } = await work(repo);
    const squashed = await squashOnto(outside(repo.git), path, base, 'Both');
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    const later = await repo.commit('Three', { c: '3\n' }, path);
    expect(await moveBranch(repo.git, path, squashed)).toEqual({ kind: 'changed', now: later });
    await repo.run(['reset', '--hard', '--quiet', head], path);
    expect(await moveBranch(repo.git, path, squashed)).toEqual({ kind: 'moved' });
    expect(await moveBranch(repo.git, path, squashed)).toEqual({ kind: 'already-there' });
  });
});
