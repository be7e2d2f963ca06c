import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { initInside, type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { commitTree } from '../landing/squash.ts';
import { findRescue, listRescues, saveRescue } from './rescue.ts';
import { restoreInto, showRescue } from './rescue-restore.ts';

const NOW = Date.UTC(2026, 0, 31, 23, 59, 59);
const REF = 'refs/llmc/rescue/adam/20260131T235959Z';

async function begun(repo: ScratchRepo) {
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const request = { root, worktree: path, worker: 'adam', base: 'refs/remotes/origin/main', reason: 'before a test', now: NOW };
  const outside = join(repo.dir, 'outside');
  await mkdir(outside);
  await repo.write('file', 'precious\n', outside);
  const show = async () => showRescue(repo.git, root, await findRescue(repo.git, root, 'adam'), request.base);
  const restore = async () => {
    const target = { ...request, worker: 'baker', worktree: await worktree('baker'), branch: 'llmc/baker', now: NOW + 1_000 };
    await restoreInto(repo.git, target, await findRescue(repo.git, root, 'adam'));
    return target.worktree;
  };
  /** A rescue as an agent would make it by hand. */
  const forge = async (record: object, more: Readonly<Record<string, string>> = {}, link?: string) => {
    if (link !== undefined) await symlink(outside, join(path, link));
    const saved = await repo.commit('Evil', { file: 'evil\n', ...more }, path);
    const entry = { path: 'x', sha: saved, head: null, recorded: null, kind: 'folder', ...record };
    const body = JSON.stringify({ files: 0, commits: 0, task: null, inside: [entry], others: [] });
    const tree = await repo.run(['rev-parse', `${saved}^{tree}`], path);
    const sha = await commitTree(repo.git, root, { tree, parents: [saved], message: `rescue adam: x\n\nRecord: ${body}` });
    await repo.run(['update-ref', REF, sha], root);
    return saved;
  };
  const untouched = async () => expect(await repo.read('file', outside)).toBe('precious\n');
  return { root, base, path, request, outside, show, restore, forge, untouched };
}

describe('a file name with a line feed', () => {
  test('is not an entry about a nested repository: nothing is written outside', async () => {
    await using repo = await scratchRepo();
    const { path, request, restore, show, untouched } = await begun(repo);
    const sha = await repo.commit('Evil', { file: 'evil\n' }, path);
    const entry = { path: '../../../outside', sha, head: null, recorded: null, kind: 'folder' };
    // No file name contains a slash, but JSON can write one without it.
    await repo.write(`a\nInside: ${JSON.stringify(entry).replaceAll('/', '\\u002f')}`, 'x', path);
    await saveRescue(repo.git, request);
    await untouched();
    expect(await show()).not.toContain('saved as');
    await restore();
    await untouched();
  });
});

describe('a forged entry', () => {
  test.for(['../../../outside', '/tmp', '.git', 'lib/.GIT/hooks', 'a/../../x', 'a//b', '.'])(
    'with the path %j is ignored',
    async (path) => {
      await using repo = await scratchRepo();
      const { forge, restore, show, untouched } = await begun(repo);
      await forge({ path });
      expect(await show()).toContain('llmc ignored 1 of the entries');
      await restore();
      await untouched();
    },
  );

  test.for(['--output', 'HEAD', 'not a parent'])('with %s as its commit, its HEAD or its recorded commit is ignored', async (what) => {
    await using repo = await scratchRepo();
    const { base, forge, show, restore, untouched, outside } = await begun(repo);
    const id = what === 'HEAD' ? what : what === '--output' ? `--output=${join(outside, 'file')}` : base;
    await forge({ sha: id });
    expect(await show()).toContain('llmc ignored 1');
    await untouched();
    for (const forged of [{ head: id }, what === 'not a parent' ? { head: id } : { recorded: id }]) {
      await forge(forged);
      expect(await show()).toContain('llmc ignored 1');
    }
    await restore();
    await untouched();
  });

  test('behind a link that the rescue itself holds writes nothing through it', async () => {
    await using repo = await scratchRepo();
    const { forge, restore, untouched, outside } = await begun(repo);
    for (const kind of ['folder', 'repository']) {
      await forge({ path: 'linked', kind }, {}, kind === 'folder' ? 'linked' : undefined);
      await expect(restore()).rejects.toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining('linked') });
      await untouched();
      await forge({ path: 'linked/deep', kind });
      await expect(restore()).rejects.toMatchObject({ code: 'GIT_FAILED' });
      await untouched();
    }
    await expect(repo.read('.git/HEAD', outside)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('whose values are all true is restored', async () => {
    await using repo = await scratchRepo();
    const { forge, restore } = await begun(repo);
    await forge({ path: 'inner/most' });
    const at = await restore();
    expect(await repo.read('inner/most/file', at)).toBe('evil\n');
  });
});

test('a nested repository under a path with a line feed is restored under that path', async () => {
  await using repo = await scratchRepo();
  const { path, request, restore } = await begun(repo);
  const inner = await initInside(repo, path, 'a\nInside: b');
  await repo.write('loose', 'l\n', inner);
  await saveRescue(repo.git, request);
  const at = await restore();
  expect(await repo.read('a\nInside: b/loose', at)).toBe('l\n');
});

test('a nested repository whose path has another path after a line feed does not get that one deleted', async () => {
  await using repo = await scratchRepo();
  const { path, request, outside, untouched } = await begun(repo);
  const inner = await initInside(repo, path, `a\n${outside}\nb`);
  await repo.write('loose', 'l\n', inner);
  await saveRescue(repo.git, request);
  await untouched();
});

test('a forged message of 70 MB does not keep the other rescues from the list', async () => {
  await using repo = await scratchRepo();
  const { root, path, request } = await begun(repo);
  await repo.write('loose', 'l\n', path);
  const saved = await saveRescue(repo.git, request);
  const tree = await repo.run(['rev-parse', 'HEAD^{tree}'], path);
  const sha = await commitTree(repo.git, root, { tree, parents: [], message: `rescue adam: x\n\n${'x'.repeat(70 * 1024 * 1024)}` });
  await repo.run(['update-ref', 'refs/llmc/rescue/adam/20990101T000000Z', sha], root);
  const all = await listRescues(repo.git, root);
  expect(all.map(({ name, reason }) => [name, reason])).toContainEqual([saved?.name, 'before a test']);
  expect(all.find((each) => each.sha === sha)).toMatchObject({ parents: [], reason: 'its message is too long to read', task: null });
  // The same work is still found, so it is saved once.
  expect(await saveRescue(repo.git, { ...request, now: NOW + 5_000 })).toMatchObject({ name: saved?.name });
});
