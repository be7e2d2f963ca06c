import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addSubmodule, checkOutSubmodule, initInside, signCommits } from '../../test/support/scratch-repo.ts';
import { type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import { LlmcError } from '../base/error.ts';
import { readCommitId } from '../git/inspect.ts';
import { listRescues } from '../git/rescue/rescue.ts';
import { acceptAll } from './accept-all.ts';
import { acceptWork } from './accept-work.ts';
import { followSource } from './landing/main-branch.ts';
import { refreshReviews } from './landing/refresh-pending-reviews.ts';
import { newestMain } from './landing/refresh-review.ts';
import { rejectWork } from './reject-work.ts';
import { reviewWork } from './review-work.ts';
import { attentionText } from './status/attention-text.ts';
import { commitMove } from './status/commit-move.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Add a' } as const;
const DURING = 'echo later > later.txt && git add later.txt && git commit -qm Later';

describe('an agent that goes on while its commit is being landed', () => {
  test('keeps what it committed as a rescue, and only what was accepted lands', async () => {
    await using work = await scratchWork({ repo: `validate = ["${DURING}"]`, worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const { commit } = await acceptWork(context, { worker: 'adam' });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
    const [saved, ...others] = await listRescues(context.git, context.layout.root, 'adam');
    expect(others).toEqual([]);
    expect(await repo.run(['show', `${saved?.sha}:later.txt`], context.layout.root)).toBe('later');
    expect(work.said.some((line) => line.includes(`llmc rescue show ${saved?.name}`))).toBe(true);
    expect(await repo.run(['rev-parse', 'HEAD'], worktree)).toBe(commit);
    expect(context.store.worker('adam').status).toBe('idle');
  });

  test('leaves nothing to save when it only watches', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('One', { 'a.txt': 'a\n' }, worktree);
    await repo.commit('Two', { 'a.txt': 'b\n' }, worktree);
    await acceptWork(context, { worker: 'adam' });
    expect(await listRescues(context.git, context.layout.root)).toEqual([]);
  });
});

test('a branch of a person in the worktree stays as it is when the work on it lands', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.run(['checkout', '--quiet', '-b', 'feature'], worktree);
  await repo.commit('First', { 'a.txt': 'a\n' }, worktree);
  const made = await repo.commit('Second', { 'b.txt': 'b\n' }, worktree);
  await repo.commit('Main', { 'm.txt': 'm\n' });
  await acceptWork(context, { worker: 'adam', message: 'Both' });
  expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Both\nMain\nBegin');
  expect(await repo.run(['rev-parse', 'feature'], worktree)).toBe(made);
  expect(await repo.run(['symbolic-ref', '--short', 'HEAD'], worktree)).toBe('llmc/adam');
});

/**
 * Each costs 3 to 4 ms. With 19, an accept takes 2.3 times as long as the git commands that a person would type. Three of them, two side by
 * side, find out whether main was rewritten below the work.
 */
const MOST_CALLS = 22;

test('an accept without validation does not ask git more often than it did', async () => {
  const commands: string[] = [];
  await using work = await scratchWork({ worker: REVIEWED, onCommand: (words) => commands.push(words) });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  // The settings of the source are read once.
  await newestMain(context);
  commands.length = 0;
  await acceptWork(context, { worker: 'adam' });
  expect(commands.length, commands.join('\n')).toBeLessThanOrEqual(MOST_CALLS);
  // One into the source. Each is three to five processes.
  expect(commands.filter((words) => words.includes(' fetch '))).toHaveLength(1);
});

describe('trouble after the commit has landed', () => {
  test('is told as such, and another accept does the rest', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    // Main is checked out in the source: what its hook breaks is broken right after the merge.
    await repo.write('.git/hooks/post-merge', `#!/bin/sh\nmv '${worktree}' '${worktree}.away'\n`);
    await chmod(join(repo.path, '.git/hooks/post-merge'), 0o755);
    await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({
      message: expect.stringMatching(/^[0-9a-f]{12} is on main, but adam could not be made ready/),
      hint: 'llmc accept adam',
    });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
    const { attention, status } = context.store.worker('adam');
    expect([status, attention]).toMatchObject(['needs_review', { kind: 'unsettled_landing', branch: 'main' }]);
    await rename(`${worktree}.away`, worktree);
    expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ how: 'already-landed', subject: 'Add a' });
    expect(context.store.worker('adam')).toMatchObject({ status: 'idle', attention: null });
  });

  test('is not what a commit is told that never landed', async () => {
    await using work = await scratchWork({ repo: 'validate = ["false"]', worker: REVIEWED });
    await work.repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
    await expect(acceptWork(work.context, { worker: 'adam' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(work.context.store.worker('adam').attention).toEqual({
      kind: 'not_landed',
      problem: `"false" failed for adam: exit status 1. The whole output: ${work.context.layout.output('adam', 'validate')}`,
    });
  });
});

describe('a change that main has already, from elsewhere', () => {
  test.for([
    { how: 'as one commit', theirs: [{ 'a.txt': 'a\nb\n' }] },
    { how: 'as one commit of several', theirs: [{ 'a.txt': 'a\n' }, { 'a.txt': 'a\nb\n' }] },
  ])('is nothing to land, and the worker is free: $how', async ({ theirs }) => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    for (const files of theirs) await repo.commit('Add a', files, worktree);
    const others = await repo.commit('Add a, by another', { 'a.txt': 'a\nb\n' });
    expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ how: 'nothing', commit: null, subject: '' });
    expect(await repo.run(['rev-parse', 'main'])).toBe(others);
    expect(context.store.worker('adam')).toMatchObject({ status: 'idle', attention: null });
    expect(await repo.run(['rev-parse', 'HEAD'], worktree)).toBe(others);
  });
});

describe('a dirty checkout of the source', () => {
  test('is what status asks a person to clean, not the worker', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    const files = { 'a.txt': 'a\n' };
    await repo.commit('Add a', files, worktree);
    await repo.write('a.txt', 'mine\n');
    await repo.run(['add', 'a.txt']);
    await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'LANDING_REFUSED' });
    const { attention } = context.store.worker('adam');
    expect(attention && attentionText('adam', attention)).toBe(
      `Not landed: uncommitted changes in ${repo.path} are in the way. Commit or move your own changes in ${repo.path}, then: llmc accept adam`,
    );
  });
});

describe('two accepts at the same moment', () => {
  test('of one worker: one lands, the other says that there is nothing to review', async () => {
    await using work = await scratchWork({ worker: REVIEWED, repo: 'validate = ["true"]' });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const both = await Promise.allSettled([acceptWork(context, {}), acceptWork(context, {})]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'NOTHING_TO_REVIEW' } });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
  });
});

describe('work that nobody has reviewed', () => {
  test('does not land where a review is required, and the refusal names both ways on', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    await expect(acceptWork(context, { worker: 'adam', requireReview: true })).rejects.toMatchObject({
      code: 'WORK_NOT_REVIEWED',
      hint: 'llmc review adam; or land it without a review: llmc accept adam --yes',
    });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Begin');
    await reviewWork(context, { worker: 'adam' });
    expect(await acceptWork(context, { worker: 'adam', requireReview: true })).toMatchObject({ subject: 'Add a' });
  });
});

describe('a validation line that fails', () => {
  test('leads to a command that can be pasted as it is', async () => {
    const line = 'echo "it\'s `printf red`"; false $(true)';
    await using work = await scratchWork({ repo: `validate = [${JSON.stringify(line)}]`, worker: REVIEWED });
    await work.repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
    const refusal = await acceptWork(work.context, { worker: 'adam' }).then(
      () => undefined,
      (error: unknown) => (error instanceof LlmcError ? error : undefined),
    );
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', details: "it's red", detailsSaid: true });
    const pasted = execFileSync('sh', ['-c', `llmc() { printf '%s\\n' "$@"; }; ${refusal?.hint}`], { encoding: 'utf8' });
    expect(pasted.split('\n')).toEqual(['reject', '--worker', 'adam', `Make this pass: ${line}`, '']);
  });
});

describe('a commit that moves a submodule', () => {
  test('lands once the remote of the submodule has what it moves to', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await addSubmodule(repo);
    await repo.run(['fetch', '--quiet', 'origin'], worktree);
    await repo.run(['reset', '--hard', '--quiet', 'origin/main'], worktree);
    const lib = await checkOutSubmodule(repo, worktree);
    const made = await repo.commit('Two', { 'lib.txt': 'two\n' }, lib);
    await repo.commit('Take two', {}, worktree);
    await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({
      code: 'LANDING_REFUSED',
      message: expect.stringContaining('lib would move to'),
      hint: expect.stringContaining(`push origin ${made}:refs/heads/<branch>, then: llmc accept adam`),
    });
    expect(await repo.run(['log', '-1', '--format=%s', 'main'])).toBe('Add lib');
    await repo.run(['push', '--quiet', 'origin', `${made}:refs/heads/two`], lib);
    await acceptWork(context, { worker: 'adam' });
    expect(await repo.run(['rev-parse', 'main:lib'])).toBe(made);
    expect(await listRescues(context.git, context.layout.root)).toEqual([]);
  });

  test.for([
    { place: 'inner', told: 'inner is a repository of its own' },
    { place: 'lib', told: 'is not checked out' },
  ])('does not land where nobody could get it: %o', async ({ place, told }) => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    if (place === 'inner') await repo.commit('Inner', { 'a.txt': 'a\n' }, await initInside(repo, worktree, place));
    await repo.run(
      [
        'update-index',
        '--add',
        '--cacheinfo',
        `160000,${await readCommitId(context.git, join(worktree, place)).catch(() => '1'.repeat(40))},${place}`,
      ],
      worktree,
    );
    await repo.run(['commit', '--quiet', '-m', 'Link'], worktree);
    await mkdir(join(worktree, place), { recursive: true });
    await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({
      code: 'LANDING_REFUSED',
      message: expect.stringContaining(told),
    });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Begin');
  });
});

test('a source that moved needs one edit of config.toml, which the error names, and then accept lands there', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const moved = join(repo.dir, 'moved');
  await rename(repo.path, moved);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({
    code: 'SOURCE_MISSING',
    hint: `Restore it, or, if it moved, set source under [repo] in ${context.layout.config}`,
  });
  const text = await readFile(context.layout.config, 'utf8');
  await writeFile(context.layout.config, text.replace(repo.path, moved));
  await followSource(context);
  expect(await repo.run(['remote', 'get-url', 'origin'], worktree)).toBe(moved);
  await acceptWork(context, { worker: 'adam' });
  expect(await repo.run(['log', '--format=%s', 'main'], moved)).toBe('Add a\nBegin');
});

describe('where the source signs commits', () => {
  test('what lands is signed', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await signCommits(repo);
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    await acceptWork(context, { worker: 'adam' });
    expect(await repo.run(['log', '-1', '--format=%s %G?', 'main'])).toBe('Add a G');
  });

  test('nothing lands when the key is gone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await signCommits(repo);
    await repo.run(['config', 'user.signingkey', join(repo.dir, 'no key')]);
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'SIGNING_FAILED' });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Begin');
    expect(context.store.worker('adam').attention).toMatchObject({
      kind: 'not_landed',
      problem: expect.stringContaining('the commit cannot be signed'),
    });
  });
});

describe('work that its agent left unchanged after a rejection', () => {
  const UNCHANGED = { kind: 'commit_unchanged', to_review: true } as const;
  const rejected = async (work: ScratchWork, { seen }: { readonly seen: boolean }): Promise<void> => {
    const { context, repo, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    if (seen) await reviewWork(context, { worker: 'adam' });
    await expect(rejectWork(context, { worker: 'adam', feedback: 'Use b', notes: [], timeoutMs: 0 })).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
    });
    commitMove(context, 'adam', 'committed', { why: 'the turn ended without a new commit', fields: { attention: UNCHANGED } });
  };

  test('lands when a person who has read it names it, also on a newer main', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context } = work;
    await rejected(work, { seen: true });
    await repo.commit('Main', { 'm.txt': 'm\n' });
    await acceptWork(context, { worker: 'adam', requireReview: true });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nMain\nBegin');
  });

  test('does not land if nobody had read it', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await rejected(work, { seen: false });
    await expect(acceptWork(work.context, { worker: 'adam', requireReview: true })).rejects.toMatchObject({ code: 'WORK_NOT_REVIEWED' });
  });

  test('does not land with everything that is clean, nor without its name, before it was shown again', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { context, repo } = work;
    await rejected(work, { seen: true });
    const refused = { code: 'WORK_NOT_REVIEWED', message: expect.stringContaining('after your feedback') };
    expect(await acceptAll(context, { requireReview: false })).toMatchObject({ accepted: [], left: [{ worker: 'adam', ...refused }] });
    await expect(acceptWork(context, { requireReview: true })).rejects.toMatchObject(refused);
    await reviewWork(context, { worker: 'adam' });
    await acceptWork(context, { requireReview: true });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
  });

  const UNDECIDED = { code: 'WORK_NOT_REVIEWED', message: expect.stringContaining('after your feedback') };
  const refusesAll = async ({ context }: ScratchWork) => {
    expect(await acceptAll(context, { requireReview: false })).toMatchObject({ accepted: [], left: [{ worker: 'adam', ...UNDECIDED }] });
    await expect(acceptWork(context, { requireReview: true })).rejects.toMatchObject(UNDECIDED);
  };

  test('is still so after an accept by its name that failed, and lands by its name', async () => {
    await using work = await scratchWork({ repo: 'validate = ["test -f ../ready"]', worker: REVIEWED });
    const { context, repo } = work;
    await rejected(work, { seen: true });
    await expect(acceptWork(context, { worker: 'adam', requireReview: true })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(context.store.worker('adam')).toMatchObject({ attention: { kind: 'not_landed' }, came_back_unchanged: true });
    await repo.write('../ready', '', work.worktree);
    await refusesAll(work);
    await acceptWork(context, { worker: 'adam', requireReview: true });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
    expect(context.store.worker('adam').came_back_unchanged).toBe(false);
  });

  test('is still so after a conflict that is over', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { context, repo, worktree } = work;
    await rejected(work, { seen: true });
    await repo.commit('Mine', { 'a.txt': 'mine\n' });
    await refreshReviews(context);
    expect(context.store.worker('adam').attention).toMatchObject({ kind: 'conflict' });
    await repo.run(['reset', '--quiet', '--hard', 'HEAD^'], repo.path);
    await refreshReviews(context);
    expect(context.store.worker('adam').attention).toEqual(UNCHANGED);
    expect(await repo.run(['log', '-1', '--format=%s'], worktree)).toBe('Add a');
    await refusesAll(work);
  });

  test('is still so when the agent was asked something and left it as it was, and not when it changed it', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { context } = work;
    await rejected(work, { seen: true });
    const commit = await readCommitId(context.git, work.worktree);
    const turn = (commit_sha: string) => {
      commitMove(context, 'adam', 'continued', { why: 'a message', fields: { attention: null } });
      commitMove(context, 'adam', 'committed', { why: 'the turn ended', fields: { commit_sha, attention: null } });
    };
    context.store.changeWorker('adam', {
      kind: 'test',
      summary: 'its commit',
      change: (worker) => Object.assign(worker, { commit_sha: commit }),
    });
    turn(commit);
    await refusesAll(work);
    turn(await work.repo.commit('Use b', { 'a.txt': 'b\n' }, work.worktree));
    expect(context.store.worker('adam').came_back_unchanged).toBe(false);
  });

  test('needs a review again as soon as the agent changes it', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { context, repo, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    await reviewWork(context, { worker: 'adam' });
    await expect(rejectWork(context, { worker: 'adam', feedback: 'Use b', notes: [], timeoutMs: 0 })).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
    });
    await repo.commit('Use b', { 'a.txt': 'b\n' }, worktree);
    commitMove(context, 'adam', 'committed', { why: 'the turn ended with a commit', fields: { attention: null } });
    await expect(acceptWork(context, { worker: 'adam', requireReview: true })).rejects.toMatchObject({ code: 'WORK_NOT_REVIEWED' });
  });
});
