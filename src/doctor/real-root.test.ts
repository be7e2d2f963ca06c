import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Processes } from '../base/ports.ts';
import { initialConfig } from '../config/initial.ts';
import { type Git, openGit } from '../git/run.ts';
import { cloneRoot } from '../git/source/clone.ts';
import { fetchMain } from '../git/source/fetch.ts';
import { inspectSource } from '../git/source/source.ts';
import { addWorktree } from '../git/worktree/worktree.ts';
import { openDatabase } from '../store/database.ts';
import { emptyState, type Worker } from '../store/state.ts';
import { systemProcesses } from '../system/processes/processes.ts';
import type { CheckResult } from './check.ts';
import { CHECKS } from './checks.ts';
import { doctorContext } from './context.ts';
import { worker } from './doubles.ts';
import { runDoctor } from './run.ts';

let folder: string;
let root: string;
let source: string;

/** git as on a machine of its own: no configuration of the person who runs the tests. */
const isolated: Processes = {
  run: (command, options) =>
    systemProcesses.run(
      { ...command, env: { ...command.env, HOME: folder, GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1' } },
      options,
    ),
};
/** As llmc uses it, and as a person or an agent does. */
let git: Git;
const plain = openGit(isolated);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'llmc doctor ü-')));
  root = join(folder, 'root');
  source = join(folder, 'source');
  git = openGit(isolated, { guard: { root, source: async () => source, onTampering: () => undefined } });
  await mkdir(source);
  await writeFile(join(folder, 'gitconfig'), '[user]\nname = T\nemail = t@example.org\n');
  await call(source, 'init', '--quiet', '--initial-branch=trunk');
  await call(source, 'commit', '--quiet', '--allow-empty', '--message=first');
  await cloneRoot(git, await inspectSource(git, source), root);
  await writeFile(join(root, 'config.toml'), initialConfig({ source, branch: 'trunk', agent: 'demo' }));
  await writeState([]);
  openDatabase(join(root, 'llmc.db')).close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const call = (at: string, ...args: readonly string[]) => plain.ok({ at, access: 'write', args });

async function writeState(workers: readonly Worker[]): Promise<void> {
  const state = { ...emptyState(), workers: Object.fromEntries(workers.map((each) => [each.name, each])) };
  await writeFile(join(root, 'state.json'), JSON.stringify(state));
}

async function addWorker(name: string): Promise<Worker> {
  const path = join(root, '.worktrees', name);
  await addWorktree(git, root, name, path, 'refs/remotes/origin/trunk');
  return worker(name, { worktree_path: path });
}

async function doctor(): Promise<Readonly<Record<string, CheckResult | undefined>>> {
  const context = {
    ...doctorContext(root, '0.1.0', {
      defaultCommand: () => '',
      adapterOf: () => undefined,
      recordedVersions: () => undefined,
      isSupervised: async () => false,
      silence: async () => undefined,
      workflows: async () => ({ files: [], unread: undefined }),
    }),
    processes: isolated,
  };
  return Object.fromEntries((await runDoctor(CHECKS, context)).map((result) => [result.name, result]));
}

describe('a real root', () => {
  test('that is new has no failed check', async () => {
    const results = await doctor();
    expect(Object.values(results).filter((result) => result?.level === 'failed')).toEqual([]);
    expect(results['source']?.message).toBe(`${source}, branch trunk`);
    expect(results['identity']?.message).toBe('commits are made by T <t@example.org>');
    expect(results['root settings']?.level).toBe('ok');
  });

  test('reports a deleted worktree, an idle worktree with changes, and an orphaned branch', async () => {
    const [adam, eve, lost] = [await addWorker('adam'), await addWorker('eve'), await addWorker('lost')];
    await writeState([adam, eve]);
    await rm(adam.worktree_path, { recursive: true });
    await writeFile(join(eve.worktree_path, 'left over.txt'), 'x');
    const results = await doctor();
    expect(results['worktrees']).toMatchObject({
      level: 'failed',
      message: 'adam has no worktree; eve is idle, yet has changes (left over.txt)',
      hint: expect.stringContaining('llmc doctor --repair'),
    });
    expect(results['orphaned branches']).toMatchObject({ level: 'warning', message: `branches without a worker: ${lost.branch}` });
  });

  test('reports a branch below llmc/ that no worker can have, but not a restored rescue', async () => {
    await call(root, 'branch', 'llmc-rescued/adam/20260131T235959Z', 'refs/remotes/origin/trunk');
    expect((await doctor())['orphaned branches']).toMatchObject({ level: 'ok', message: 'none' });
    await call(root, 'branch', 'llmc/adam/try', 'refs/remotes/origin/trunk');
    expect((await doctor())['orphaned branches']).toMatchObject({
      level: 'warning',
      message: 'branches without a worker: llmc/adam/try',
      hint: expect.stringMatching(/^Rename it, or delete it: git -C .* branch -D llmc\/adam\/try$/),
    });
  });

  test('allows changes and another checkout in the worktree of a working worker', async () => {
    const adam = await addWorker('adam');
    await call(adam.worktree_path, 'checkout', '--quiet', '--detach');
    await writeFile(join(adam.worktree_path, 'new.txt'), 'x');
    await writeState([{ ...adam, status: 'working' }]);
    expect((await doctor())['worktrees']).toMatchObject({ level: 'ok', message: 'all 1 in place' });
    await writeState([adam]);
    expect((await doctor())['worktrees']).toMatchObject({
      level: 'warning',
      message: 'adam is idle, yet a detached commit is checked out',
    });
  });

  test('reports a moved source while the root still points at the old one', async () => {
    const moved = join(folder, 'moved');
    await rename(source, moved);
    expect((await doctor())['source']?.hint).toContain(`set source under [repo] in ${root}/config.toml`);
    await writeFile(join(root, 'config.toml'), initialConfig({ source: moved, branch: 'trunk', agent: 'demo' }));
    expect((await doctor())['source']).toMatchObject({
      level: 'warning',
      message: `the source is ${moved}, but the root's remote still points at ${source}`,
    });
    await fetchMain(git, root, 'trunk', moved);
    expect((await doctor())['source']).toMatchObject({ level: 'ok', message: `${moved}, branch trunk` });
  });

  test('reports a missing branch of the source, and a missing source', async () => {
    await call(source, 'branch', '--quiet', '--move', 'trunk', 'other');
    expect((await doctor())['source']).toMatchObject({ level: 'failed', message: `${source} has no branch "trunk"` });
    await rm(source, { recursive: true });
    expect((await doctor())['source']).toMatchObject({ level: 'failed', message: `the source ${source} does not exist` });
  });

  test('reports settings that an agent wrote into the clone, above all one that lets it push', async () => {
    await call(root, 'config', 'core.fsmonitor', '/tmp/evil');
    expect((await doctor())['root settings']).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('not from llmc: core.fsmonitor'),
      hint: expect.stringContaining('llmc doctor --repair'),
    });
    await call(root, 'config', 'remote.origin.pushurl', source);
    expect((await doctor())['root settings']).toMatchObject({ level: 'failed', message: expect.stringContaining('could push') });
  });

  test('reports attributes that an agent wrote into the clone', async () => {
    const attributes = join(root, '.git', 'info', 'attributes');
    await writeFile(attributes, '* -diff\n');
    expect((await doctor())['root settings']).toMatchObject({
      level: 'warning',
      message: expect.stringContaining(`files not from llmc: ${attributes}`),
      hint: expect.stringContaining('llmc doctor --repair'),
    });
  });

  test('reports a worktree that an agent pointed elsewhere', async () => {
    const adam = await addWorker('adam');
    await writeState([adam]);
    await writeFile(join(adam.worktree_path, '.git'), `gitdir: ${join(source, '.git')}\n`);
    expect((await doctor())['worktrees']).toMatchObject({
      level: 'failed',
      message: expect.stringContaining(join(adam.worktree_path, '.git')),
      hint: expect.stringContaining('llmc doctor --repair'),
    });
  });
});
