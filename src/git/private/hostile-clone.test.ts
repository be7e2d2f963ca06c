import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, type ScratchRoot, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { commitsBetween } from '../commits.ts';
import { diffText } from '../diff.ts';
import { readStatus } from '../inspect.ts';
import { land } from '../landing/land.ts';
import { hashPatch } from '../landing/patch.ts';
import { moveBranch, squashOnto } from '../landing/squash.ts';
import { rebaseOnto } from '../rebase/rebase.ts';
import { trackingRef } from '../refs.ts';
import { listRescues, saveRescue } from '../rescue/rescue.ts';
import { outside } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { resetInPlace } from '../worktree/reset.ts';
import { addWorktree, removeWorktree } from '../worktree/worktree.ts';
import { administrativeFolder, ownRepository } from './place.ts';

interface Scene extends ScratchRoot {
  readonly repo: ScratchRepo;
  readonly path: string;
  readonly admin: string;
  /** The repository of adam. */
  readonly own: string;
  /** A command that leaves a trace. */
  readonly bait: string;
  caught(): Promise<readonly string[]>;
}

/** A worker adam with one commit and a change beside it, and a folder in which a command of the agent would leave a trace. */
async function scene(repo: ScratchRepo): Promise<Scene> {
  const root = await scratchRoot(repo);
  const path = await root.worktree('adam');
  const traces = join(repo.dir, 'traces');
  await mkdir(traces);
  const bait = join(repo.dir, 'bait.sh');
  await writeFile(bait, `#!/bin/sh\ntouch ${JSON.stringify(join(traces, 'ran'))}\ncat 2>/dev/null\n`, { mode: 0o755 });
  await repo.commit('Work', { 'README.md': 'hello\nworld\n', 'a.txt': 'a\n' }, path);
  return {
    ...root,
    repo,
    path,
    admin: administrativeFolder(root.root, 'adam'),
    own: ownRepository(root.root, 'adam'),
    bait,
    caught: () => readdir(traces),
  };
}

/** Everything that llmc does with a worktree: the end of a turn, review, rescue, rebase, squash, landing, reset, nuke. */
async function everything({ repo, root, source, path }: Scene): Promise<void> {
  const { git } = repo;
  await repo.write('README.md', 'hello\nworld\nand more\n', path);
  await readStatus(git, path);
  const now = Date.now();
  await saveRescue(git, { root, worktree: path, worker: 'adam', base: trackingRef(source.branch), reason: 'test', now });
  await repo.write('README.md', 'hello\nworld\n', path);
  await repo.commit('Meanwhile', { 'other.txt': 'x\n' });
  const main = await fetchMain(git, root, source.branch, source.path);
  const { head = '' } = await readStatus(git, path);
  await diffText(git, root, main, head);
  await commitsBetween(git, path, main, head);
  expect(await rebaseOnto(git, path, main)).toMatchObject({ kind: 'clean' });
  const { head: rebased = '' } = await readStatus(git, path);
  await hashPatch(git, path, main, rebased);
  const squashed = await squashOnto(outside(git), path, main, 'One');
  if (squashed.kind === 'nothing') throw new Error('nothing to squash');
  await moveBranch(git, path, squashed);
  expect(
    await land(git, { source: source.path, root, branch: source.branch, sha: squashed.sha, onto: main, reviewed: null }),
  ).toMatchObject({
    kind: 'landed',
  });
  await resetInPlace(git, path, squashed.sha, 'llmc/adam');
  await addWorktree(git, root, 'eve', join(root, '.worktrees', 'eve'), main);
  await removeWorktree(git, root, 'adam', path);
}

describe('a setting of an agent in the clone runs nothing', () => {
  test.each([
    ['core.fsmonitor', ['core.fsmonitor']],
    [
      'the other settings that name a command',
      [
        'core.sshCommand',
        'core.pager',
        'core.editor',
        'core.alternateRefsCommand',
        'sequence.editor',
        'diff.external',
        'gpg.program',
        'uploadpack.packObjectsHook',
        'credential.helper',
        'remote.origin.uploadpack',
        'remote.origin.receivepack',
      ],
    ],
  ])('%s', async (_, keys) => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    for (const key of keys) await repo.run(['config', key, at.bait], at.path);
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });

  test.each([
    ['a filter', '* filter=evil', ['filter.evil.clean', 'filter.evil.smudge']],
    ['a text conversion', '* diff=evil', ['diff.evil.textconv', 'diff.evil.command']],
    ['a merge driver', '* merge=evil', ['merge.evil.driver']],
  ])('%s, also with attributes outside the tree', async (_, attributes, keys) => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    await mkdir(join(at.own, 'info'), { recursive: true });
    await writeFile(join(at.own, 'info', 'attributes'), `${attributes}\n`);
    for (const key of keys) await repo.run(['config', key, at.bait], at.path);
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });

  test('an include, and the configuration of the worktree alone', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    await writeFile(join(repo.dir, 'included'), `[core]\n\tfsmonitor = ${at.bait}\n`);
    await repo.run(['config', 'include.path', join(repo.dir, 'included')], at.path);
    await repo.run(['config', 'extensions.worktreeConfig', 'true'], at.path);
    await repo.run(['config', '--worktree', 'diff.external', at.bait], at.path);
    await repo.run(['config', 'core.hooksPath', join(repo.dir, 'hooks')], at.path);
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });

  test('hooks in the clone', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const hooks = join(at.own, 'hooks');
    await mkdir(hooks, { recursive: true });
    for (const name of ['post-checkout', 'post-rewrite', 'post-index-change', 'reference-transaction', 'pre-rebase', 'post-commit']) {
      await writeFile(join(hooks, name), await readFile(at.bait), { mode: 0o755 });
    }
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });
});

describe('a worktree that is pointed elsewhere', () => {
  /** A repository of the agent with a command in its configuration. */
  async function trap({ repo, bait }: Scene): Promise<string> {
    const at = join(repo.dir, 'trap');
    await repo.run(['init', '--quiet', '--initial-branch=main', at], '/');
    await repo.run(['config', 'core.fsmonitor', bait], at);
    return at;
  }

  test('by its commondir runs nothing of the other repository', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    await writeFile(join(at.admin, 'commondir'), `${join(await trap(at), '.git')}\n`);
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });

  test('by its .git file runs nothing of the other repository', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    await writeFile(join(at.path, '.git'), `gitdir: ${join(await trap(at), '.git')}\n`);
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });

  test('by a commondir of the root runs nothing of the other repository', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    await writeFile(join(at.own, 'commondir'), `${join(await trap(at), '.git')}\n`);
    await everything(at);
    expect(await at.caught()).toEqual([]);
  });

  test('by a link in place of its folder in the clone changes nothing there', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const outside = join(repo.dir, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'HEAD'), 'ref: refs/heads/llmc/adam\n');
    await rm(at.admin, { recursive: true });
    await symlink(outside, at.admin);
    await removeWorktree(repo.git, at.root, 'adam', at.path).catch(() => undefined);
    expect(await readdir(outside)).toEqual(['HEAD']);
  });
});

describe('links in what git keeps about a worktree', () => {
  test('do not make llmc append to a file outside', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const victim = join(repo.dir, 'victim');
    for (const log of [join(at.admin, 'logs', 'HEAD'), join(at.own, 'logs', 'refs', 'heads', 'llmc', 'adam')]) {
      await rm(log, { force: true });
      await mkdir(join(log, '..'), { recursive: true });
      await symlink(victim, log);
    }
    await writeFile(victim, 'mine\n');
    await everything(at);
    expect(await readFile(victim, 'utf8')).toBe('mine\n');
  });

  test('do not make llmc write the text of a conflict to a file outside', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const victim = join(repo.dir, 'victim');
    // One commit conflicts, both together do not.
    await repo.commit('Undo', { 'README.md': 'hello\n' }, at.path);
    const main = await repo.commit('Meanwhile', { 'README.md': 'goodbye\n' });
    await fetchMain(repo.git, at.root, 'main', repo.path);
    // git names the record after the conflict, so the agent can know it beforehand.
    await repo.run(['rebase', '--quiet', main], at.path).catch(() => undefined);
    const cache = join(at.own, 'rr-cache');
    const [id = ''] = await readdir(cache);
    const before = await readFile(join(cache, id, 'preimage'));
    await repo.run(['rebase', '--abort'], at.path);
    await mkdir(join(cache, id), { recursive: true });
    for (const name of ['preimage', 'postimage']) await writeFile(join(cache, id, name), before);
    // git 2.39 writes the conflict there to compare it with the recorded one.
    await symlink(victim, join(cache, id, 'thisimage'));
    await rebaseOnto(repo.git, at.path, main);
    expect(await readdir(repo.dir)).not.toContain('victim');
  });

  test('do not make llmc delete a folder outside', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const victim = join(repo.dir, 'victim');
    await mkdir(victim);
    await writeFile(join(victim, 'head-name'), 'refs/heads/llmc/adam\n');
    await writeFile(join(victim, 'mine'), 'mine\n');
    await symlink(victim, join(at.admin, 'rebase-merge'));
    await resetInPlace(repo.git, at.path, at.base, 'llmc/adam').catch(() => undefined);
    expect((await readdir(victim)).toSorted()).toEqual(['head-name', 'mine']);
  });
});

/** git looks into packs first, and takes work in as one. */
async function unpack(repo: ScratchRepo, root: string): Promise<void> {
  const [from, to] = [join(root, '.git/objects/pack'), join(repo.dir, 'packs')];
  await rename(from, to);
  await mkdir(from);
  for (const name of (await readdir(to)).filter((each) => each.endsWith('.pack'))) {
    const args = ['-c', 'git -C "$1" unpack-objects -q < "$2"', 'sh', root, join(to, name)];
    await repo.processes.run({ file: 'sh', args, env: { GIT_DIR: join(root, '.git') } });
  }
}

describe('what is reviewed is what the commit holds', () => {
  test('a replaced commit is shown as it is', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const good = await repo.run(['rev-parse', 'HEAD'], at.path);
    const evil = await repo.commit('Evil', { 'a.txt': 'evil\n' }, at.path);
    const before = await hashPatch(repo.git, at.path, at.base, evil);
    await repo.run(['replace', evil, good], at.path);
    expect(await diffText(repo.git, at.root, at.base, evil)).toContain('+evil');
    expect(await hashPatch(repo.git, at.path, at.base, evil)).toBe(before);
  });

  test('a graft does not hide a commit', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const head = await repo.commit('Second', { 'b.txt': 'b\n' }, at.path);
    await mkdir(join(at.own, 'info'), { recursive: true });
    await writeFile(join(at.own, 'info', 'grafts'), `${head} ${at.base}\n`);
    expect(await commitsBetween(repo.git, at.path, at.base)).toHaveLength(2);
  });

  test('a commit graph does not name another tree', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    const good = await repo.run(['rev-parse', 'HEAD^{tree}'], at.path);
    const evil = await repo.commit('Evil', { 'a.txt': 'evil\n' }, at.path);
    await repo.run(['commit-graph', 'write', '--reachable'], at.path);
    const graph = join(at.own, 'objects', 'info', 'commit-graph');
    const bytes = await readFile(graph);
    const [from, to] = [Buffer.from(await repo.run(['rev-parse', `${evil}^{tree}`], at.path), 'hex'), Buffer.from(good, 'hex')];
    to.copy(bytes, bytes.indexOf(from));
    await rm(graph, { force: true });
    await writeFile(graph, bytes);
    expect(await diffText(repo.git, at.root, at.base, evil)).toContain('+evil');
  });

  test.each([
    ['main', 'merge'],
    ['other', 'push'],
  ])('a forged object does not land as another one, with %s checked out in the source', async (branch) => {
    await using repo = await scratchRepo();
    // The source has the old content, so that it takes no object for it.
    const old = await repo.run(['rev-parse', 'HEAD:README.md']);
    const onto = await repo.commit('Fix', { 'README.md': 'hello\nfixed\n' });
    if (branch !== 'main') await repo.run(['checkout', '--quiet', '-b', branch]);
    const { root, source, worktree } = await scratchRoot(repo, 'main');
    const sha = await repo.commit('Revert', { 'README.md': 'hello\n' }, await worktree('adam'));
    const file = join(root, '.git', 'objects', old.slice(0, 2), old.slice(2));
    await unpack(repo, root);
    await rm(file);
    const shown = 'hello\nfixed\nas reviewed\n';
    await writeFile(file, deflateSync(`blob ${shown.length}\0${shown}`));
    expect(await diffText(repo.git, root, onto, sha)).toContain('+as reviewed');
    const reviewed = await hashPatch(repo.git, root, onto, sha);
    expect(await land(repo.git, { source: source.path, root, branch: 'main', sha, onto, reviewed })).toEqual({ kind: 'changed' });
    expect(await repo.run(['rev-parse', 'refs/heads/main'])).toBe(onto);
  });

  test('attributes outside the tree do not hide a change', async () => {
    await using repo = await scratchRepo();
    const at = await scene(repo);
    await mkdir(join(at.own, 'info'), { recursive: true });
    await writeFile(join(at.own, 'info', 'attributes'), '* -diff\n');
    const head = await repo.run(['rev-parse', 'HEAD'], at.path);
    expect(await diffText(repo.git, at.root, at.base, head)).toContain('+world');
  });
});

test('a rescue is found although an agent changed the configuration', async () => {
  await using repo = await scratchRepo();
  const at = await scene(repo);
  await appendFile(join(at.own, 'config'), 'garbage [[[\n');
  const saved = await saveRescue(repo.git, {
    root: at.root,
    worktree: at.path,
    worker: 'adam',
    base: trackingRef('main'),
    reason: 'test',
    now: Date.now(),
  });
  expect(await listRescues(repo.git, at.root)).toMatchObject([{ sha: saved?.sha }]);
});
