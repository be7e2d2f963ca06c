import { chmod, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accepted, pending, REVIEWED, subjects, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { listRescues } from '../../git/rescue/rescue.ts';
import { acceptAll } from '../accept-all.ts';
import { type AcceptRequest, acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';
import { attentionText } from '../status/attention-text.ts';

const BRANCH = 'team/a';
const accept = ({ context }: ScratchWork, request: AcceptRequest = {}) =>
  acceptWork(context, { worker: 'adam', branch: BRANCH, patrol: true, ...request });
const on = ({ repo }: ScratchWork, branch = BRANCH) => repo.run(['log', '--format=%s', branch]);
const branches = ({ repo }: ScratchWork) => repo.run(['branch', '--format=%(refname:short)']);

async function committed(work: ScratchWork): Promise<void> {
  await work.repo.commit('One', { 'a.txt': 'one\n' }, work.worktree);
  await work.repo.commit('Two', { 'a.txt': 'one\ntwo\n' }, work.worktree);
}

describe('an accept for a branch', () => {
  test('makes it from main with one commit, and leaves main, the checkout and other reviews alone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await committed(work);
    const bea = await pending(work, 'bea');
    const [main, head] = [await repo.run(['rev-parse', 'main']), await repo.run(['rev-parse', 'HEAD'], bea)];
    await reviewWork(context, { worker: 'adam' });
    const result = await accept(work);
    expect(result).toMatchObject({ landing: 'branch', branch: BRANCH, how: 'push', subject: 'One', status: 'idle' });
    expect(await on(work)).toBe('One\nBegin');
    expect([await repo.run(['rev-parse', 'main']), await repo.run(['rev-parse', 'HEAD'], bea)]).toEqual([main, head]);
    expect(await repo.run(['status', '--porcelain'])).toBe('');
    // The worker goes on from main, with nothing left and nothing to rescue.
    expect(await repo.run(['rev-parse', 'HEAD'], worktree)).toBe(main);
    expect(context.store.worker('adam')).toMatchObject({ status: 'idle', base_commit: main, commit_sha: null, landed_on: BRANCH });
    expect(await listRescues(context.git, context.layout.root)).toEqual([]);
    const history = context.store.database.prepare("SELECT summary FROM history WHERE kind = 'accept'").all();
    expect(history.map(({ summary }) => summary)).toContainEqual(expect.stringMatching(/^landed [0-9a-f]{12} on team\/a$/));
  });

  test('keeps what the agent did meanwhile as a rescue', async () => {
    const during = 'echo later > later.txt && git add later.txt && git commit -qm Later';
    await using work = await scratchWork({ repo: `validate = ["${during}"]`, worker: REVIEWED });
    await committed(work);
    await accept(work);
    expect(await on(work)).toBe('One\nBegin');
    expect(await listRescues(work.context.git, work.context.layout.root, 'adam')).toHaveLength(1);
  });

  test('puts the next work on top of the first, validated together', async () => {
    await using work = await scratchWork({ repo: 'validate = ["ls >> \\"$PWD.seen\\""]', worker: REVIEWED });
    await committed(work);
    await pending(work, 'bea');
    await accept(work);
    await reviewWork(work.context, { worker: 'bea' });
    await acceptWork(work.context, { worker: 'bea', branch: BRANCH });
    expect(await on(work)).toBe('Work of bea\nOne\nBegin');
    expect(await subjects(work)).toBe('Begin');
    const seen = await readFile(join(work.context.layout.worktrees, '_branch.seen'), 'utf8');
    expect(seen.split('\n')).toEqual(expect.arrayContaining(['a.txt', 'bea.txt']));
  });

  test('of two workers at once puts both on the branch', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await pending(work, 'bea');
    await Promise.all([accept(work), accept(work, { worker: 'bea' })]);
    expect((await on(work)).split('\n').toSorted()).toEqual(['Begin', 'One', 'Work of bea']);
    expect(await subjects(work)).toBe('Begin');
  });

  test('of work that conflicts with the branch lands nowhere, and says so', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await work.repo.run(['switch', '-qc', BRANCH]);
    await work.repo.commit('Mine', { 'a.txt': 'mine\n' }, work.repo.path);
    await work.repo.run(['switch', '-q', 'main']);
    await expect(accept(work)).rejects.toMatchObject({ code: 'LANDING_REFUSED', details: 'a.txt' });
    expect(await on(work)).toBe('Mine\nBegin');
    expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'not_landed' } });
    expect(await accept(work, { branch: 'other' })).toMatchObject({ branch: 'other', subject: 'One' });
  });

  test('of work that was built on the branch goes on top of it with its own message, also if it changes the same lines', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.run(['switch', '-qc', BRANCH]);
    await repo.commit('Mine', { 'a.txt': 'mine\n' }, repo.path);
    await repo.run(['switch', '-q', 'main']);
    await repo.run(['fetch', '-q', 'origin', BRANCH], worktree);
    await repo.run(['reset', '-q', '--hard', 'FETCH_HEAD'], worktree);
    await committed(work);
    await reviewWork(context, { worker: 'adam' });
    expect(await accept(work)).toMatchObject({ branch: BRANCH });
    expect(await on(work)).toBe('One\nMine\nBegin');
    expect(await repo.run(['show', `${BRANCH}:a.txt`])).toBe('one\ntwo');
    expect(await repo.run(['log', '-1', '--format=%B', BRANCH])).not.toContain('Mine');
  });

  test('of the rest of what the branch has is refused if that was not reviewed', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Both', { 'a.txt': 'a\n', 'b.txt': 'b\n' }, worktree);
    await repo.run(['switch', '-qc', BRANCH]);
    await repo.commit('Mine', { 'a.txt': 'a\n', 'c.txt': 'c\n' }, repo.path);
    await repo.run(['switch', '-q', 'main']);
    await reviewWork(context, { worker: 'adam' });
    await expect(accept(work)).rejects.toMatchObject({ code: 'PATCH_CHANGED' });
    expect(await on(work)).toBe('Mine\nBegin');
  });

  test('of what the branch has already frees the worker', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await accept(work);
    await undo(work);
    await work.repo.run(['switch', '-qc', BRANCH]);
    await work.repo.commit('Mine', { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, work.repo.path);
    expect(await accept(work)).toMatchObject({ commit: null, how: 'nothing', status: 'idle' });
  });
});

test('what stands in the way is named with the accept for the same branch', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  await committed(work);
  await expect(accept(work, { requireReview: true })).rejects.toMatchObject({ hint: expect.stringContaining(`--branch ${BRANCH} --yes`) });
  await work.repo.run(['switch', '-qc', BRANCH]);
  await work.repo.write('a.txt', 'mine\n');
  await expect(accept(work)).rejects.toMatchObject({ hint: expect.stringContaining(`then: llmc accept adam --branch ${BRANCH}`) });
  const { attention } = work.context.store.worker('adam');
  expect(attention === null ? '' : attentionText('adam', attention)).toContain(`then: llmc accept adam --branch ${BRANCH}`);
});

describe('a name', () => {
  test.each(['-x', 'refs/heads/x', 'main', 'MAIN', 'llmc/adam', 'a..b', '', 'x\u202e'])(
    '%j is refused before anything is written',
    async (branch) => {
      await using work = await scratchWork({ worker: REVIEWED });
      await committed(work);
      await expect(accept(work, { branch })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        hint: expect.stringContaining('llmc accept adam'),
      });
      expect(await branches(work)).toBe('main');
      expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: null });
    },
  );

  test('that stands for main is refused', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await work.repo.run(['symbolic-ref', `refs/heads/${BRANCH}`, 'refs/heads/main']);
    await expect(accept(work)).rejects.toMatchObject({ message: expect.stringContaining('stands for refs/heads/main') });
    expect(await subjects(work)).toBe('Begin');
  });
});

describe('[repo] landing = "branch"', () => {
  const LANDING = 'landing = "branch"';

  test('names the branch after the worker and its task, with a number if there is one', async () => {
    await using work = await scratchWork({ repo: LANDING, worker: REVIEWED });
    await committed(work);
    await work.repo.run(['branch', 'adam/add-a']);
    expect(await acceptWork(work.context, { worker: 'adam' })).toMatchObject({ landing: 'branch', branch: 'adam/add-a-2' });
  });

  test('--main decides otherwise', async () => {
    await using work = await scratchWork({ repo: LANDING, worker: REVIEWED });
    await committed(work);
    expect(await acceptWork(work.context, { worker: 'adam', main: true })).toMatchObject({ landing: 'main', branch: 'main' });
  });

  test('all work goes to one branch with a fixed name, and the work of a run to that of the run', async () => {
    await using work = await scratchWork({ repo: `${LANDING}\nlanding_branch = "next"`, worker: REVIEWED });
    await committed(work);
    await pending(work, 'bea');
    const { accepted: landed, left } = await acceptAll(work.context, {});
    expect([landed.map(({ branch }) => branch), left]).toEqual([['next', 'next'], []]);
    expect((await on(work, 'next')).split('\n').toSorted()).toEqual(['Begin', 'One', 'Work of bea']);
  });
});

describe('after_accept', () => {
  test('finds in its environment what landed, once per branch', async () => {
    const line = 'env | grep ^LLMC_LANDED | sort >> ../seen; cat \\"$LLMC_LANDED_BODY_FILE\\" >> ../seen';
    await using work = await scratchWork({ repo: `after_accept = ["${line}"]`, worker: REVIEWED });
    await work.repo.commit('Add a\n\nBecause $(touch pwned) \u202e.', { 'a.txt': 'a\n' }, work.worktree);
    const { commit } = await accept(work);
    const seen = (await readFile(join(work.repo.path, '../seen'), 'utf8')).replace(/^(LLMC_LANDED_BODY_FILE=).*/m, '$1…');
    expect(seen.split('\n')).toEqual([
      'LLMC_LANDED_BODY_FILE=…',
      `LLMC_LANDED_BRANCH=${BRANCH}`,
      `LLMC_LANDED_COMMIT=${commit}`,
      'LLMC_LANDED_MAIN=main',
      'LLMC_LANDED_ON=branch',
      'LLMC_LANDED_TITLE=Add a',
      'LLMC_LANDED_WORKER=adam',
      'Because $(touch pwned) <U+202E>.',
      '',
    ]);
  });
});

describe('an undo', () => {
  test('deletes the branch that the accept made, and gives the work back; the next accept makes it again', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    const { commit } = await accept(work);
    await work.repo.run(['update-ref', `refs/remotes/origin/${BRANCH}`, commit ?? '']);
    expect(await undo(work)).toMatchObject({ branch: BRANCH, commit, outcome: 'undone', kind: 'take_back', status: 'needs_review' });
    expect(await branches(work)).toBe('main');
    expect(work.said.join('\n')).toContain(`origin/${BRANCH} still has`);
    expect(work.context.store.worker('adam').landed_on).toBe(null);
    expect(await work.repo.run(['log', '--format=%s', 'origin/main..HEAD'], work.worktree)).toBe('Two\nOne');
    expect(await undo(work)).toMatchObject({ outcome: 'already_undone', branch: BRANCH });
    await work.repo.commit('Three', { 'a.txt': 'three\n' }, work.worktree);
    await accept(work);
    expect(await on(work)).toBe('One\nBegin');
  });

  test('moves a branch back to what it was, and main stays', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await work.repo.run(['switch', '-qc', BRANCH]);
    const before = await work.repo.commit('Mine', { 'mine.txt': 'mine\n' }, work.repo.path);
    await accept(work);
    expect([await on(work), await work.repo.read('a.txt')]).toEqual(['One\nMine\nBegin', 'one\ntwo\n']);
    await undo(work);
    expect(await work.repo.run(['rev-parse', BRANCH])).toBe(before);
    expect(await work.repo.run(['status', '--porcelain'])).toBe('');
    expect(await work.repo.run(['log', '--format=%s', 'origin/main..HEAD'], work.worktree)).toBe('Two\nOne');
  });

  test('is refused after another commit, and --revert adds one', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await accept(work);
    await work.repo.run(['switch', '-q', BRANCH]);
    await work.repo.commit('Mine', { 'mine.txt': 'mine\n' }, work.repo.path);
    await expect(undo(work)).rejects.toMatchObject({ code: 'UNDO_REFUSED', hint: expect.stringContaining('--revert') });
    expect(await undo(work, { revert: true })).toMatchObject({ kind: 'revert', branch: BRANCH });
    expect(await on(work)).toBe('Revert "One"\nMine\nOne\nBegin');
    expect(await subjects(work)).toBe('Begin');
  });

  test.each([
    ['gone', (work: ScratchWork) => work.repo.run(['branch', '-qD', BRANCH]), 'NOTHING_TO_UNDO', 'no branch team/a any more'],
    ['on main', (work: ScratchWork) => work.repo.run(['merge', '-q', BRANCH]), 'UNDO_REFUSED', 'main has'],
  ])('of a commit that is %s is refused', async (_, change, code, message) => {
    await using work = await scratchWork({ worker: REVIEWED });
    await committed(work);
    await accept(work);
    await change(work);
    await expect(undo(work)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('of an accept on main is not disturbed by a later one on a branch', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await pending(work, 'bea');
    const { commit } = await accepted(work);
    await acceptWork(work.context, { worker: 'bea', branch: BRANCH });
    expect(await undo(work, { worker: 'adam' })).toMatchObject({ branch: 'main', commit, outcome: 'undone' });
    expect([await subjects(work), await on(work)]).toEqual(['Begin', 'Work of bea\nOne\nBegin']);
  });
});

test('trouble after the commit is on the branch: another accept does the rest, and an undo knows what was before', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await committed(work);
  await repo.run(['switch', '-qc', BRANCH]);
  const before = await repo.commit('Mine', { 'mine.txt': 'mine\n' }, repo.path);
  await repo.write('.git/hooks/post-merge', `#!/bin/sh\nmv '${worktree}' '${worktree}.away'\n`);
  await chmod(join(repo.path, '.git/hooks/post-merge'), 0o755);
  await expect(accept(work)).rejects.toMatchObject({ message: expect.stringMatching(/is on team\/a, but adam could not/) });
  await rename(`${worktree}.away`, worktree);
  expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ how: 'already-landed', landing: 'branch', branch: BRANCH });
  expect(await on(work)).toBe('One\nMine\nBegin');
  expect(await listRescues(context.git, context.layout.root)).toEqual([]);
  await undo(work);
  expect(await repo.run(['rev-parse', BRANCH])).toBe(before);
});
