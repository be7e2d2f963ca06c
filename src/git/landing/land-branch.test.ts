import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { followUpCommit } from './follow-up.ts';
import { findTip, land } from './land.ts';
import type { BranchLanding } from './landed.ts';
import { hashPatch } from './patch.ts';
import { remoteWith, takeBranchBack } from './take-branch-back.ts';

const BRANCH = 'team/new-parser';

async function ready(repo: ScratchRepo, files: Record<string, string> = { 'new.txt': 'new\n' }) {
  const { root, source, base, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work', files, await worktree('adam'));
  const reviewed = await hashPatch(repo.git, root, base, sha);
  const landing: BranchLanding = { source: source.path, root, branch: BRANCH, sha, onto: null, base, reviewed, elsewhere: true };
  return { landing, base };
}

const tip = (repo: ScratchRepo, branch = BRANCH) => repo.run(['rev-parse', branch]);
const back = ({ source, root, branch, sha, onto }: BranchLanding) => ({ source, root, branch, landed: sha, before: onto });

describe.each([{ bare: false }, { bare: true }])('a source that is bare: $bare', (options) => {
  test('gets a new branch, once, and loses it again', async () => {
    await using repo = await scratchRepo(options);
    const { landing, base } = await ready(repo);
    expect(await findTip(repo.git, landing)).toBe(null);
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'landed', how: 'push' });
    expect(await land(repo.git, landing)).toEqual({ kind: 'already-landed' });
    expect([await tip(repo), await tip(repo, 'main')]).toEqual([landing.sha, base]);
    expect(await takeBranchBack(repo.git, back(landing))).toEqual({ kind: 'taken-back' });
    expect(await takeBranchBack(repo.git, back(landing))).toEqual({ kind: 'already-back' });
    expect(await findTip(repo.git, landing)).toBe(null);
  });

  test('moves a branch that main contains forward, and back', async () => {
    await using repo = await scratchRepo(options);
    const { landing, base } = await ready(repo);
    await repo.run(['update-ref', `refs/heads/${BRANCH}`, base]);
    expect(await land(repo.git, landing)).toEqual({ kind: 'moved', now: base });
    expect(await land(repo.git, { ...landing, onto: base })).toMatchObject({ kind: 'landed', how: 'push' });
    expect(await takeBranchBack(repo.git, back({ ...landing, onto: base }))).toEqual({ kind: 'taken-back' });
    expect(await tip(repo)).toBe(base);
  });

  test('keeps what a person put on the branch', async () => {
    await using repo = await scratchRepo(options);
    const { landing, base } = await ready(repo);
    await land(repo.git, landing);
    const later = await repo.run(['commit-tree', `${base}^{tree}`, '-p', BRANCH, '-m', 'Later']);
    await repo.run(['update-ref', `refs/heads/${BRANCH}`, later]);
    expect(await land(repo.git, landing)).toEqual({ kind: 'already-landed' });
    expect(await takeBranchBack(repo.git, back(landing))).toEqual({ kind: 'moved', now: later });
    await repo.run(['update-ref', '-d', `refs/heads/${BRANCH}`]);
    expect(await land(repo.git, { ...landing, onto: base })).toEqual({ kind: 'moved', now: null });
  });
});

describe('a branch that is checked out', () => {
  test('moves with its files, and back', async () => {
    await using repo = await scratchRepo();
    const { landing, base } = await ready(repo);
    await repo.run(['switch', '-qc', BRANCH]);
    const onto = { ...landing, onto: base };
    expect(await land(repo.git, onto)).toMatchObject({ kind: 'landed', how: 'merge' });
    expect([await repo.read('new.txt'), await repo.run(['status', '--porcelain'])]).toEqual(['new\n', '']);
    expect(await takeBranchBack(repo.git, back(onto))).toEqual({ kind: 'taken-back' });
    expect([await tip(repo), await repo.run(['status', '--porcelain'])]).toEqual([base, '']);
  });

  test('is not deleted there', async () => {
    await using repo = await scratchRepo();
    const { landing } = await ready(repo);
    await land(repo.git, landing);
    await repo.run(['switch', '-q', BRANCH]);
    expect(await takeBranchBack(repo.git, back(landing))).toMatchObject({
      kind: 'refused',
      todo: `Switch to another branch in ${repo.path}`,
    });
    expect(await tip(repo)).toBe(landing.sha);
  });

  test('and has no commit yet, is not made behind the back of the user', async () => {
    await using repo = await scratchRepo();
    const { landing } = await ready(repo);
    await repo.run(['switch', '-q', '--orphan', BRANCH]);
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('has no commit yet') });
  });
});

describe('a refusal', () => {
  test('of a hook of the source is quoted', async () => {
    await using repo = await scratchRepo({ bare: true });
    const { landing } = await ready(repo);
    await repo.write('hooks/update', '#!/bin/sh\necho "names begin with feature/" >&2\nexit 1\n', repo.path);
    await chmod(join(repo.path, 'hooks/update'), 0o755);
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('begin with feature/') });
    expect(await findTip(repo.git, landing)).toBe(null);
  });

  test('names the branch in whose place the folder would be', async () => {
    await using repo = await scratchRepo();
    const { landing } = await ready(repo);
    await repo.run(['branch', 'team']);
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('refs/heads/team') });
  });

  test('a change that is not the reviewed one does not land', async () => {
    await using repo = await scratchRepo();
    const { landing } = await ready(repo);
    expect(await land(repo.git, { ...landing, reviewed: 'f'.repeat(40) })).toEqual({ kind: 'changed' });
    expect(await findTip(repo.git, landing)).toBe(null);
  });
});

describe('a commit on top of a branch that main does not contain', () => {
  async function withBranch(repo: ScratchRepo, files: Record<string, string>) {
    const { landing, base } = await ready(repo, { 'new.txt': 'new\n', 'README.md': 'changed\n' });
    await repo.run(['switch', '-qc', BRANCH]);
    const onto = await repo.commit('Earlier', files, repo.path);
    await repo.run(['switch', '-q', 'main']);
    const { source, root, sha: commit } = landing;
    const following = { source, root, commit, main: base, tip: onto, signing: undefined };
    return { landing: { ...landing, onto }, base, following };
  }

  test('has the change, the message and the author of the work, and the same name each time', async () => {
    await using repo = await scratchRepo();
    const { landing, following } = await withBranch(repo, { 'other.txt': 'other\n' });
    const made = await followUpCommit(repo.git, following);
    expect(made).toMatchObject({ kind: 'made', sameFiles: false });
    expect(await followUpCommit(repo.git, following)).toEqual(made);
    if (made.kind !== 'made') return;
    const onTop = { ...landing, sha: made.sha, base: landing.onto };
    expect(await land(repo.git, onTop)).toMatchObject({ kind: 'landed', how: 'push' });
    expect(await repo.run(['log', '--format=%s', BRANCH])).toBe('Work\nEarlier\nBegin');
    expect(await repo.run(['show', '--format=', '--name-only', BRANCH])).toBe('README.md\nnew.txt');
    expect(await takeBranchBack(repo.git, back(onTop))).toEqual({ kind: 'taken-back' });
    expect(await tip(repo)).toBe(landing.onto);
  });

  test('adds only what the branch does not have, compared with main if the files are those of the work', async () => {
    await using repo = await scratchRepo();
    const { landing, base, following } = await withBranch(repo, { 'new.txt': 'new\n' });
    const made = await followUpCommit(repo.git, following);
    expect(made).toMatchObject({ kind: 'made', sameFiles: true });
    if (made.kind !== 'made') return;
    expect(await land(repo.git, { ...landing, sha: made.sha, base: landing.onto })).toEqual({ kind: 'changed' });
    expect(await land(repo.git, { ...landing, sha: made.sha, base })).toMatchObject({ kind: 'landed' });
    expect(await repo.run(['show', '--format=', '--name-only', BRANCH])).toBe('README.md');
  });

  test.each([
    ['nothing', { 'new.txt': 'new\n', 'README.md': 'changed\n' }, { kind: 'nothing' }],
    ['a conflict', { 'README.md': 'otherwise\n' }, { kind: 'conflict', files: ['README.md'] }],
  ])('can be %s', async (_, files, expected) => {
    await using repo = await scratchRepo();
    const { following } = await withBranch(repo, files);
    expect(await followUpCommit(repo.git, following)).toEqual(expected);
  });
});

test('a remote that has the commit is named', async () => {
  await using repo = await scratchRepo();
  const { landing } = await ready(repo);
  await land(repo.git, landing);
  expect(await remoteWith(repo.git, landing.source, landing.sha)).toBe(undefined);
  await repo.run(['update-ref', `refs/remotes/origin/${BRANCH}`, landing.sha]);
  expect(await remoteWith(repo.git, landing.source, landing.sha)).toBe(`origin/${BRANCH}`);
});
