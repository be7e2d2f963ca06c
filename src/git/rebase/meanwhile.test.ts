import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../../../test/support/full-run.ts';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { dirtyFiles, readCommitId } from '../inspect.ts';
import { type Git, type GitCall, openGit, write } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { rebaseInProgress } from './operation.ts';
import { rebaseOnto } from './rebase.ts';

/** Both commits together merge with main, so llmc begins the rebase, and the first or the second of them conflicts. */
async function conflicting(repo: ScratchRepo, stop: 'first' | 'second') {
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  if (stop === 'second') await repo.commit('Other', { other: 'x\n' }, path);
  await repo.commit('There', { a: 'mine\n' }, path);
  const head = await repo.commit('And back', { a: '1\n', more: 'x\n' }, path);
  await repo.commit('Main', { a: 'theirs\n' });
  return { root, path, head, main: await fetchMain(repo.git, root, 'main', repo.path) };
}

/** The same git, which calls `meanwhile` before the nth call. */
function interrupted(git: Git, nth: number, meanwhile: (call: GitCall) => Promise<void>) {
  let calls = 0;
  const before = async (call: GitCall) => {
    calls += 1;
    if (calls === nth) await meanwhile(call);
  };
  const watched: Git = {
    ...git,
    async run(call, options) {
      await before(call);
      return await git.run(call, options);
    },
    async ok(call, options) {
      await before(call);
      return await git.ok(call, options);
    },
  };
  return { git: watched, count: () => calls };
}

/** Without llmc: it may be in the middle of taking work in. */
async function commitAsAgent(repo: ScratchRepo, at: string, file: string): Promise<string> {
  await repo.write(file, 'm\n', at);
  const git = openGit(repo.processes);
  await git.ok(write(at, 'add', '--all'));
  await git.ok(write(at, 'commit', '--quiet', '--allow-empty', '-m', 'Meanwhile'));
  return (await git.ok(write(at, 'rev-parse', 'HEAD'))).trim();
}

// At the second commit git performs the same calls, and more of them.
const STOPS = rowsOfThisRun(['first', 'second'] as const, (stop) => stop === 'second');
describe.each(STOPS)('a commit that the agent makes while llmc rebases its worktree up to a conflict (%s commit)', (stop) => {
  test('is on its branch or in a rescue afterwards, before whichever call of git it is made', { timeout: 300_000 }, async () => {
    for (let nth = 1; ; nth += 1) {
      await using repo = await scratchRepo({ files: { a: '1\n' } });
      const { path, root, main } = await conflicting(repo, stop);
      let made = '';
      let what: readonly string[] = [];
      const { git, count } = interrupted(repo.git, nth, async ({ args }) => {
        what = args;
        made = await commitAsAgent(repo, path, `meanwhile-${nth}`);
      });
      await rebaseOnto(git, path, main).catch(() => undefined);
      if (count() < nth) break;
      const refs = (at: string) => repo.run(['for-each-ref', '--contains', made, '--format=%(refname)', 'refs/heads', 'refs/llmc'], at);
      const kept = [await refs(path).catch(() => ''), await refs(root).catch(() => '')].join('');
      expect(kept, `committed before call ${nth}: git ${what.join(' ')}`).not.toBe('');
      expect(await rebaseInProgress(repo.git, path)).toBe(false);
      expect(await repo.run(['symbolic-ref', '--short', 'HEAD'], path)).toBe('llmc/adam');
    }
  });
});

test('a rebase that is taken back without a commit of the agent leaves no rescue', async () => {
  await using repo = await scratchRepo({ files: { a: '1\n' } });
  const { path, root, main, head } = await conflicting(repo, 'second');
  expect(await rebaseOnto(repo.git, path, main)).toMatchObject({ kind: 'conflict' });
  expect(await readCommitId(repo.git, path)).toBe(head);
  expect(await repo.run(['for-each-ref', 'refs/llmc/rescue'], root)).toBe('');
});

/** What llmc leaves if it is killed between git's stop at the conflict and the abort. */
async function killedAtConflict(repo: ScratchRepo) {
  const begun = await conflicting(repo, 'second');
  const dies = async (call: GitCall) => {
    if (call.args.includes('--abort')) throw new Error('killed');
  };
  const git: Git = {
    ...repo.git,
    run: (call, options) => dies(call).then(() => repo.git.run(call, options)),
    ok: (call, options) => dies(call).then(() => repo.git.ok(call, options)),
  };
  await expect(rebaseOnto(git, begun.path, begun.main)).rejects.toThrow('killed');
  expect(await rebaseInProgress(repo.git, begun.path)).toBe(true);
  return begun;
}

describe('a rebase of llmc that a crash left in the worktree', () => {
  test('is taken back by the next one, and what is in the worktree is saved', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, root, main, head } = await killedAtConflict(repo);
    await repo.write('draft', 'by the agent\n', path);
    await repo.run(['add', 'draft'], path);
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'conflict', files: ['a'] });
    expect([await readCommitId(repo.git, path), await rebaseInProgress(repo.git, path), await dirtyFiles(repo.git, path)]).toEqual([
      head,
      false,
      [],
    ]);
    const [rescue = ''] = (await repo.run(['for-each-ref', '--format=%(refname)', 'refs/llmc/rescue'], root)).split('\n');
    expect(await repo.run(['show', `${rescue}:draft`], root)).toBe('by the agent');
    expect(existsSync(join(root, 'run/rebases/adam.json'))).toBe(false);
  });

  test('is left alone if it is another one, which the agent has begun since', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, main } = await killedAtConflict(repo);
    await repo.run(['rebase', '--abort'], path);
    await repo.git.run(write(path, 'rebase', main));
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'busy', operation: 'rebase' });
    expect(await rebaseInProgress(repo.git, path)).toBe(true);
  });

  test('is forgotten if the agent has finished it', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, root, main } = await killedAtConflict(repo);
    for (const [file, text] of [
      ['a', 'both\n'],
      ['a', 'theirs\n'],
    ] as const) {
      await repo.write(file, text, path);
      await repo.run(['add', '--all'], path);
      await repo.git.run(write(path, 'rebase', '--continue'));
    }
    expect(await rebaseOnto(repo.git, path, main)).toMatchObject({ kind: 'up-to-date' });
    expect(existsSync(join(root, 'run/rebases/adam.json'))).toBe(false);
  });
});
