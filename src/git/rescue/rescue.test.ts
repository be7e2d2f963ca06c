import { chmod, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import type { LlmcError } from '../../base/error.ts';
import { readCommitId } from '../inspect.ts';
import { ownRepository } from '../private/place.ts';
import { unfinishedOperation } from '../rebase/operation.ts';
import { write } from '../run.ts';
import { findRescue, listRescues, saveRescue } from './rescue.ts';
import { parseRescues, rescueMessage, rescueName } from './rescue-ref.ts';
import { restoreAsBranch, restoreInto, showRescue } from './rescue-restore.ts';

const NOW = Date.UTC(2026, 0, 31, 23, 59, 59, 999);

test('a rescue is named after worker and second, and numbered within it', () => {
  expect(rescueName('adam', NOW)).toBe('adam/20260131T235959Z');
  expect(rescueName('adam', NOW, 2)).toBe('adam/20260131T235959Z-2');
});

test('the reason is one line, whatever it was', () => {
  expect(rescueMessage('adam', 'before\n a  reset', ['a', 'b\nInside: c'])).toBe(
    'rescue adam: before a reset\n\nUncommitted:\n  a\n  "b\\nInside: c"\n\nRecord: {"files":2,"commits":null,"task":null,"inside":[],"others":[]}',
  );
});

const BODY = rescueMessage('adam', 'a: b', ['x', 'Task: y'], { commits: 3, task: 'Fix it' }).split('\n').slice(2).join('\n');

const [SHA, TREE, P, Q] = ['1', '2', '3', '4'].map((digit) => digit.repeat(40));
const TIME = '20260131T235959Z';
const row = (name: string, seconds: number | string, tree = TREE) =>
  `refs/llmc/rescue/${name}\0${SHA}\0${tree}\0${P} ${Q}\0${seconds}\0rescue adam: a: b\0${BODY}\0\n`;

test('the listing is read newest first, the tenth in a second after the second', () => {
  const rescues = parseRescues([row(`adam/20260131T000000Z`, 1), row(`adam/${TIME}-2`, 5), row(`adam/${TIME}-10`, 5)].join(''));
  expect(rescues.map((each) => each.name)).toEqual([`adam/${TIME}-10`, `adam/${TIME}-2`, 'adam/20260131T000000Z']);
  expect(rescues[2]).toEqual({
    ref: 'refs/llmc/rescue/adam/20260131T000000Z',
    name: 'adam/20260131T000000Z',
    worker: 'adam',
    sha: SHA,
    tree: TREE,
    parents: [P, Q],
    at: 1_000,
    reason: 'a: b',
    files: 2,
    commits: 3,
    others: [],
    task: 'Fix it',
  });
  expect(parseRescues('')).toEqual([]);
});

test('a ref that llmc did not name, that is not a commit, or that has an impossible date, is not listed', () => {
  const rows = [
    row('--output=x/y', 1),
    row('adam/latest', 1),
    row(`Adam/${TIME}`, 1),
    row(`adam/x/${TIME}`, 1),
    row(`adam/${TIME}`, 1, ''),
    row(`adam/${TIME}`, 9e15),
    row(`adam/${TIME}`, 'x'),
  ];
  expect(parseRescues(rows.join(''))).toEqual([]);
});

async function begun(repo: ScratchRepo) {
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const request = { root, worktree: path, worker: 'adam', base: 'refs/remotes/origin/main', reason: 'before a test', now: NOW };
  const files = async (sha: string) => (await repo.run(['ls-tree', '-r', '--name-only', '-z', sha], root)).split('\0').filter(Boolean);
  return { root, base, path, request, files };
}

describe('a rescue', () => {
  test('of a clean worker without commits is not made', async () => {
    await using repo = await scratchRepo();
    const { request, root } = await begun(repo);
    expect(await saveRescue(repo.git, request)).toBeUndefined();
    expect(await listRescues(repo.git, root)).toEqual([]);
  });

  test('of work that has landed is not made', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    const made = await repo.commit('Work', { a: '1\n' }, path);
    await repo.run(['update-ref', 'refs/remotes/origin/main', made], root);
    expect(await saveRescue(repo.git, request)).toBeUndefined();
  });

  test('holds edits, staged, deleted and untracked files, and leaves the worktree as it was', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n', gone: 'x\n', '.gitignore': 'node_modules\n' } });
    const { request, path, root, files } = await begun(repo);
    await repo.write('a', '2\n', path);
    await repo.run(['add', 'a'], path);
    await repo.write('a', '3\n', path);
    await rm(join(path, 'gone'));
    await repo.write('sub dir/neu ü', 'n\n', path);
    await repo.write('node_modules/x', 'x', path);
    const before = await repo.run(['status', '--porcelain=v2', '-uall'], path);
    const saved = await saveRescue(repo.git, request);
    if (saved === undefined) throw new Error('nothing rescued');
    expect(saved).toMatchObject({ ref: 'refs/llmc/rescue/adam/20260131T235959Z', missed: [] });
    expect(await files(saved.sha)).toEqual(['.gitignore', 'a', 'sub dir/neu ü']);
    expect(await repo.run(['show', `${saved.sha}:a`], root)).toBe('3');
    // What was staged lies behind the second parent.
    expect(await repo.run(['show', `${saved.sha}^2:a`], root)).toBe('2');
    expect(await repo.run(['status', '--porcelain=v2', '-uall'], path)).toBe(before);
    expect(await listRescues(repo.git, root)).toMatchObject([
      { worker: 'adam', reason: 'before a test', at: Math.floor(NOW / 1_000) * 1_000 },
    ]);
  });

  test('of the same work is the same rescue, of more work a second one', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.write('a', '1\n', path);
    await repo.run(['add', 'a'], path);
    await repo.write('a', '2\n', path);
    const first = await saveRescue(repo.git, request);
    expect(await saveRescue(repo.git, { ...request, now: NOW + 60_000 })).toEqual(first);
    await repo.write('b', '1\n', path);
    expect(await saveRescue(repo.git, request)).toMatchObject({ name: 'adam/20260131T235959Z-2' });
    expect(await listRescues(repo.git, root)).toHaveLength(2);
  });

  test('holds an edit made in the second in which the file was added, however late it is', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    // What would tell the two apart on a slow machine, and would not on a fast one.
    await repo.run(['config', 'core.trustctime', 'false'], root);
    const second = new Date(NOW);
    await repo.write('a', '1\n', path);
    await utimes(join(path, 'a'), second, second);
    await repo.run(['add', 'a'], path);
    await repo.write('a', '2\n', path);
    for (const file of [join(path, 'a'), join(root, 'sandbox/adam/git/worktrees/adam/index')]) await utimes(file, second, second);
    const saved = await saveRescue(repo.git, request);
    expect(await repo.run(['show', `${saved?.sha}:a`], root)).toBe('2');
  });

  test('of commits alone keeps them reachable after the branch is gone', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    const made = await repo.commit('Work', { a: '1\n' }, path);
    const saved = await saveRescue(repo.git, request);
    expect(await repo.run(['rev-parse', `${saved?.sha}^1`], root)).toBe(made);
  });

  test('of a worker without work is none, also if the source has tags that main does not contain', async () => {
    await using repo = await scratchRepo();
    await repo.run(['checkout', '--quiet', '--detach']);
    await repo.commit('Released', { r: '1\n' });
    await repo.run(['tag', 'v1']);
    await repo.run(['checkout', '--quiet', 'main']);
    const { request, path } = await begun(repo);
    expect(await repo.run(['tag'], path)).toBe('v1');
    expect(await saveRescue(repo.git, request)).toBeUndefined();
    await repo.run(['commit', '--quiet', '--allow-empty', '-m', 'Tagged'], path);
    await repo.run(['tag', 'mine'], path);
    await repo.run(['reset', '--quiet', '--hard', 'HEAD~1'], path);
    expect(await saveRescue(repo.git, request)).toMatchObject({ missed: [] });
  });

  test('holds the commit of a second worktree that the agent made', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    const second = join(repo.dir, 'second');
    await repo.run(['worktree', 'add', '--quiet', '--detach', second], path);
    const made = await repo.commit('Elsewhere', { e: '1\n' }, second);
    const saved = await saveRescue(repo.git, request);
    await repo.run(['merge-base', '--is-ancestor', made, `${saved?.sha}`], root);
  });

  test('that is refused prints a command which runs no hook of the agent', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.commit('Work', { a: '1\n' }, path);
    const own = ownRepository(root, 'adam');
    await repo.write('hooks/reference-transaction', `#!/bin/sh\ntouch '${repo.dir}/ran'\n`, own);
    await chmod(join(own, 'hooks/reference-transaction'), 0o755);
    await repo.write('refs/heads/llmc/adam', `${'1'.repeat(40)}\n`, own);
    const refused = await saveRescue(repo.git, request).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'WORK_NOT_SAVED', hint: expect.any(String) });
    const command = /: (git -c .*?), then/.exec((refused as LlmcError).hint ?? '')?.[1] ?? '';
    const { outcome, stderr } = await repo.processes.run({ file: 'sh', args: ['-c', command], cwd: '/' });
    expect(outcome, stderr).toEqual({ kind: 'exited', status: 0 });
    expect(await repo.git.files.exists(join(repo.dir, 'ran'))).toBe(false);
    expect(await saveRescue(repo.git, request)).toMatchObject({ missed: [] });
  });

  test('of a worker whose directory is gone keeps its branch', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    const made = await repo.commit('Work', { a: '1\n' }, path);
    await rm(path, { recursive: true });
    const saved = await saveRescue(repo.git, request);
    expect(await repo.run(['rev-parse', `${saved?.sha}^1`], root)).toBe(made);
    expect((await saveRescue(repo.git, request))?.sha).toBe(saved?.sha);
  });

  test('of a worker whose .git file is gone holds its uncommitted files all the same', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.write('draft', 'd\n', path);
    await rm(join(path, '.git'));
    const saved = await saveRescue(repo.git, request);
    expect(await repo.run(['show', `${saved?.sha}:draft`], root)).toBe('d');
  });

  test.each(['rebase', 'merge'])('in the middle of a %s holds the markers and the branch, and the %s goes on', async (operation) => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { request, path, root } = await begun(repo);
    await repo.commit('One', { b: '1\n' }, path);
    const tip = await repo.commit('Two', { a: 'mine\n' }, path);
    const theirs = await repo.commit('Main', { a: 'theirs\n' });
    await repo.run(['fetch', '--quiet', 'origin'], path);
    await repo.git.run(write(path, operation, theirs));
    await repo.write('note', 'n\n', path);
    const saved = await saveRescue(repo.git, request);
    if (saved === undefined) throw new Error('nothing rescued');
    expect(await repo.run(['show', `${saved.sha}:a`], root)).toContain('<<<<<<<');
    expect(await repo.run(['show', `${saved.sha}:note`], root)).toBe('n');
    expect((await repo.git.run(write(root, 'merge-base', '--is-ancestor', tip, saved.sha))).status).toBe(0);
    expect((await unfinishedOperation(repo.git, path))?.operation).toBe(operation);
    await repo.write('a', 'both\n', path);
    await repo.run(['add', 'a'], path);
    await repo.run([operation, '--continue'], path);
  });

  test('works where git knows no one', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.run(['config', '--remove-section', 'user'], root);
    await repo.run(['config', 'user.useConfigOnly', 'true'], root);
    await repo.write('a', '1\n', path);
    expect(await saveRescue(repo.git, request)).toBeDefined();
  });
});

describe('what was rescued', () => {
  test('is found by ref, by name and by worker, else RESCUE_NOT_FOUND', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.write('a', '1\n', path);
    const saved = await saveRescue(repo.git, request);
    for (const wanted of [saved?.ref ?? '', saved?.name ?? '', 'adam'])
      expect((await findRescue(repo.git, root, wanted)).sha).toBe(saved?.sha);
    await expect(findRescue(repo.git, root, 'eve')).rejects.toMatchObject({
      code: 'RESCUE_NOT_FOUND',
      hint: 'List the rescues: llmc rescue list',
    });
  });

  test('is shown as one diff of commits and uncommitted changes', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.commit('Work', { committed: 'c\n' }, path);
    await repo.write('loose', 'l\n', path);
    await saveRescue(repo.git, request);
    const text = await showRescue(repo.git, root, await findRescue(repo.git, root, 'adam'), request.base);
    expect(text).toContain('+++ b/committed');
    expect(text).toContain('+++ b/loose');
  });

  test('names the commits that only the reflog knew, and gives one of them back', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    const first = await repo.commit('First try', { a: '1\n' }, path);
    await repo.run(['commit', '--quiet', '--amend', '-m', 'Second try'], path);
    await saveRescue(repo.git, request);
    const found = await findRescue(repo.git, root, 'adam');
    expect(found.others).toEqual([first]);
    const shown = await showRescue(repo.git, root, found, request.base);
    expect(shown).toContain(`llmc rescue restore ${found.name}:<commit>\n  ${first.slice(0, 12)} First try\n`);
    const one = await findRescue(repo.git, root, `adam:${first.slice(0, 12)}`);
    expect(await showRescue(repo.git, root, one, request.base)).toContain('+++ b/a');
    expect(await restoreAsBranch(repo.git, root, one)).toBe(`llmc-rescued/${found.name}-${first.slice(0, 12)}`);
    await restoreInto(repo.git, { ...request, branch: 'llmc/adam', now: NOW + 1_000 }, one);
    expect(await readCommitId(repo.git, path)).toBe(first);
    const elsewhere = await repo.commit('Not in it', { b: '1\n' });
    for (const commit of [elsewhere, 'abcd'])
      await expect(findRescue(repo.git, root, `adam:${commit}`)).rejects.toMatchObject({ code: 'RESCUE_NOT_FOUND' });
  });

  test('comes back as a branch, the same when asked twice', async () => {
    await using repo = await scratchRepo();
    const { request, path, root } = await begun(repo);
    await repo.write('a', '1\n', path);
    await saveRescue(repo.git, request);
    const found = await findRescue(repo.git, root, 'adam');
    expect(await restoreAsBranch(repo.git, root, found)).toBe('llmc-rescued/adam/20260131T235959Z');
    expect(await restoreAsBranch(repo.git, root, found)).toBe('llmc-rescued/adam/20260131T235959Z');
    expect(await readCommitId(repo.git, root, 'llmc-rescued/adam/20260131T235959Z')).toBe(found.sha);
  });

  test('comes back into a worktree as it was, after what stood there was rescued', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n', gone: 'x\n' } });
    const { request, path, root, base } = await begun(repo);
    const made = await repo.commit('Work', { b: '1\n' }, path);
    await repo.write('a', 'staged\n', path);
    await repo.run(['add', 'a'], path);
    await repo.write('a', '2\n', path);
    await rm(join(path, 'gone'));
    await repo.write('new', 'n\n', path);
    await saveRescue(repo.git, request);
    const found = await findRescue(repo.git, root, 'adam');
    await repo.run(['reset', '--hard', '--quiet', base], path);
    await repo.run(['clean', '-fdq'], path);
    await repo.write('later', 'l\n', path);
    const previous = await restoreInto(repo.git, { ...request, branch: 'llmc/adam', now: NOW + 1_000 }, found);
    expect(await readCommitId(repo.git, path)).toBe(made);
    expect(await repo.run(['status', '--porcelain'], path)).toBe('M a\n D gone\n?? new');
    expect(await repo.read('a', path)).toBe('2\n');
    expect(await repo.run(['show', `${previous?.sha}:later`], root)).toBe('l');
  });
});
