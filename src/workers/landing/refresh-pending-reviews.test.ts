import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import type { Command } from '../../base/command.ts';
import type { Processes } from '../../base/ports.ts';
import { localRef, trackingRef } from '../../git/refs.ts';
import { openGit } from '../../git/run.ts';
import { addWorktree } from '../../git/worktree/worktree.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { patrolOnce } from '../../supervisor/patrol.ts';
import { aFleet } from '../../supervisor/samples.ts';
import { acceptWork } from '../accept-work.ts';
import type { WorkContext } from '../context.ts';
import { aWorker } from '../samples.ts';
import { refreshReviews } from './refresh-pending-reviews.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Add a' } as const;

/** Another worker whose commit waits for review. */
async function pending({ repo, context }: ScratchWork, name: string): Promise<string> {
  const { git, store, layout } = context;
  const path = join(layout.root, '.worktrees', name);
  await addWorktree(git, layout.root, name, path, trackingRef('main'));
  await repo.commit(`Work of ${name}`, { [`${name}.txt`]: `${name}\n` }, path);
  store.commit({
    worker: name,
    kind: 'test',
    summary: 'added',
    state: (draft) => {
      draft.workers[name] = aWorker({ ...REVIEWED, name, branch: `llmc/${name}`, worktree_path: path });
    },
  });
  return path;
}

const summaries = ({ store }: WorkContext, worker: string | null, kind: string) =>
  store.database
    .prepare('SELECT summary FROM history WHERE worker IS ? AND kind = ? ORDER BY rowid')
    .all(worker, kind)
    .map(({ summary }) => summary);

describe('a refresh that fails for one worker', () => {
  test('does not keep the others, and is recorded once per reason, with the worker and in the summary of the patrol', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const zoe = await pending(work, 'zoe');
    const lock = join(context.layout.root, 'sandbox/adam/git/worktrees/adam/index.lock');
    await writeFile(lock, '');
    const main = await repo.commit('Main', { 'main.txt': 'm\n' });
    await patrolOnce(context, aFleet());
    await patrolOnce(context, aFleet());
    expect(await repo.run(['rev-parse', 'HEAD~1'], zoe)).toBe(main);
    expect(summaries(context, 'adam', 'rebase')).toEqual([
      expect.stringMatching(/^the work could not be put on the newest main: .*index\.lock/),
    ]);
    expect(summaries(context, null, 'patrol')).toEqual(['rebased zoe; could not refresh adam', 'could not refresh adam']);

    await rm(lock);
    await patrolOnce(context, aFleet());
    expect(await repo.run(['rev-parse', 'HEAD~1'], worktree)).toBe(main);
    await repo.commit('Main again', { 'main.txt': 'n\n' });
    await writeFile(lock, '');
    await patrolOnce(context, aFleet());
    expect(summaries(context, null, 'patrol').slice(2)).toEqual(['rebased adam', 'rebased zoe; could not refresh adam']);
    expect(summaries(context, 'adam', 'rebase')).toHaveLength(3);
  });

  test('because the source is gone is recorded once for all, and the patrol still does the rest of its round', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    await pending(work, 'zoe');
    await rename(repo.path, `${repo.path}.away`);
    await patrolOnce(context, aFleet());
    await patrolOnce(context, aFleet());
    expect(summaries(context, null, 'rebase')).toEqual([expect.stringContaining(repo.path)]);
    expect(summaries(context, null, 'patrol')).toEqual(['could not refresh adam, zoe']);
    expect(context.store.state.patrol_last_run_unix).not.toBeNull();
  });
});

test('a worker that is locked is left to the next round', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await repo.commit('Main', { 'main.txt': 'm\n' });
  await context.locks.withLock('adam', async () => {
    expect(await refreshReviews(context)).toEqual({ rebased: [], failed: [] });
  });
  expect(await refreshReviews(context)).toEqual({ rebased: ['adam'], failed: [] });
});

test('a supervisor that stops begins no further review', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await repo.commit('Main', { 'main.txt': 'm\n' });
  expect(await refreshReviews(context, { signal: AbortSignal.abort() })).toEqual({ rebased: [], failed: [] });
});

/** The same context, with a record of every git command. */
function recording(context: WorkContext, before: (command: Command) => Promise<void> = async () => undefined) {
  const commands: Command[] = [];
  const processes: Processes = {
    run: async (command, options) => {
      commands.push(command);
      await before(command);
      return await context.processes.run(command, options);
    },
  };
  const source = async () => (await context.config()).repo.source;
  const git = openGit(processes, { guard: { root: context.layout.root, source, onTampering: () => undefined } });
  return { context: { ...context, git }, commands };
}

const questionsForMain = (commands: readonly Command[]) =>
  commands.filter(({ args }) => args.includes('rev-parse') && args.includes(localRef('main')));

describe('an accept', () => {
  test('asks the source for main once, also when it refreshes the reviews of others', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const zoe = await pending(work, 'zoe');
    const { context, commands } = recording(work.context);
    const { commit } = await acceptWork(context, { worker: 'adam', patrol: true });
    expect(questionsForMain(commands)).toHaveLength(1);
    expect(await repo.run(['rev-parse', 'HEAD~1'], zoe)).toBe(commit);
    expect(await repo.run(['rev-parse', 'HEAD', 'origin/main'], worktree)).toBe(`${commit}\n${commit}`);
    expect(context.store.worker('zoe').base_commit).toBe(commit);
    expect(recentHistory(context.store.database, 'zoe', 1)).toMatchObject([{ kind: 'rebase' }]);
  });

  test('asks again after each validation, because main may have moved meanwhile', async () => {
    await using work = await scratchWork({
      worker: REVIEWED,
      repo: `validate = ['cd "$(git remote get-url origin)" && { test -e moved || { touch moved && git add moved && git commit -qm Moved; }; }']`,
    });
    const { repo, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const { context, commands } = recording(work.context);
    await acceptWork(context, { worker: 'adam', patrol: true });
    expect(questionsForMain(commands)).toHaveLength(3);
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nMoved\nBegin');
  });

  test('asks the source where its own record of main is locked, as during a fetch of an agent', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const lock = join(work.context.layout.root, '.git/refs/remotes/origin/main.lock');
    const { context, commands } = recording(work.context, async ({ args }) => {
      if (args.includes('update-ref') && args.includes('llmc: landed')) await writeFile(lock, '');
      else if (args.includes('rev-parse')) await rm(lock, { force: true });
    });
    const { commit } = await acceptWork(context, { worker: 'adam' });
    expect(questionsForMain(commands)).toHaveLength(2);
    expect(await repo.run(['rev-parse', 'HEAD', 'origin/main'], worktree)).toBe(`${commit}\n${commit}`);
    expect(context.store.worker('adam').status).toBe('idle');
  });

  test('leaves the reviews of others alone where no patrol is wanted', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const zoe = await pending(work, 'zoe');
    const before = await repo.run(['rev-parse', 'HEAD'], zoe);
    await acceptWork(context, { worker: 'adam', patrol: false });
    expect(await repo.run(['rev-parse', 'HEAD'], zoe)).toBe(before);
  });
});

test('clean work does not wait for the resolution of work that conflicts', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const zoe = await pending(work, 'zoe');
  const main = await repo.commit('Main', { 'a.txt': 'm\n' });
  const heads: string[] = [];
  const onConflict = async (name: string) => {
    heads.push(name, await repo.run(['rev-parse', 'HEAD~1'], zoe));
    return true;
  };
  await refreshReviews(context, { onConflict });
  expect(heads).toEqual(['adam', main]);
});
