import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScratchRepo } from '../../test/support/scratch-repo.ts';
import { type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import { LlmcError } from '../base/error.ts';
import { noAgents } from './no-agents.ts';
import { nukeWorker } from './nuke-worker.ts';
import { resetWorker } from './reset-worker.ts';
import { startTask } from './start-task.ts';

interface Damaged {
  readonly repo: ScratchRepo;
  readonly at: string;
  /** Where git keeps HEAD, index and reflog of the worktree. */
  readonly admin: string;
  /** The commit that the state names, which the branch has. */
  readonly work: string;
}

interface Row {
  readonly damage: string;
  /** Returns commits that must be kept besides. */
  readonly make: (place: Damaged) => Promise<readonly string[]> | readonly string[];
  /** The files that the damage takes away itself. */
  readonly without?: readonly string[];
  /** The command refuses, with these words, until its hint was followed. */
  readonly refuses?: RegExp;
}

const none = (_: unknown): readonly string[] => [];

const ROWS: readonly Row[] = [
  { damage: 'no damage', make: () => [] },
  {
    damage: 'HEAD is on an unborn branch',
    make: async ({ repo, at }) => none(await repo.run(['checkout', '--quiet', '--orphan', 'x'], at)),
  },
  {
    damage: 'HEAD is on an unborn branch, and nothing is staged',
    make: async ({ repo, at }) => {
      await repo.run(['checkout', '--quiet', '--orphan', 'x'], at);
      return none(await repo.run(['rm', '--quiet', '-r', '--cached', '.'], at));
    },
  },
  {
    damage: 'HEAD is on an orphan branch with a commit',
    make: async ({ repo, at }) => {
      await repo.run(['checkout', '--quiet', '--orphan', 'x'], at);
      await repo.run(['commit', '--quiet', '-m', 'Orphan'], at);
      return [await repo.run(['rev-parse', 'HEAD'], at)];
    },
  },
  {
    damage: 'the branch is deleted',
    make: async ({ repo, at }) => none(await repo.run(['update-ref', '-d', 'refs/heads/llmc/adam'], at)),
  },
  {
    damage: 'the branch is deleted, and HEAD is detached at main',
    make: async ({ repo, at }) => {
      await repo.run(['checkout', '--quiet', '--detach', 'origin/main'], at);
      return none(await repo.run(['branch', '-D', 'llmc/adam'], at));
    },
  },
  { damage: 'the branch is renamed', make: async ({ repo, at }) => none(await repo.run(['branch', '-m', 'mine'], at)) },
  {
    damage: 'the branch is checked out elsewhere',
    make: async ({ repo, at }) => {
      await repo.run(['checkout', '--quiet', '--detach'], at);
      const other = join(dirname(at), 'other place');
      await repo.run(['worktree', 'add', '--quiet', other, 'llmc/adam'], at);
      return [await repo.commit('Elsewhere', { 'elsewhere.txt': 'e\n' }, other)];
    },
  },
  {
    damage: 'HEAD was detached, and its commit is in the reflog alone',
    make: async ({ repo, at }) => {
      await repo.run(['checkout', '--quiet', '--detach'], at);
      await repo.run(['commit', '--quiet', '--allow-empty', '-m', 'Detached'], at);
      const lost = await repo.run(['rev-parse', 'HEAD'], at);
      await repo.run(['checkout', '--quiet', 'llmc/adam'], at);
      return [lost];
    },
  },
  {
    damage: 'the branch was reset to main',
    make: async ({ repo, at }) => none(await repo.run(['reset', '--quiet', '--soft', 'origin/main'], at)),
  },
  { damage: 'HEAD is empty', make: ({ admin }) => none(truncateSync(join(admin, 'HEAD'))) },
  { damage: 'HEAD is garbage', make: ({ admin }) => none(writeFileSync(join(admin, 'HEAD'), 'garbage\0\n')) },
  { damage: 'HEAD is missing', make: ({ admin }) => none(rmSync(join(admin, 'HEAD'))) },
  {
    damage: 'HEAD is a link',
    make: ({ admin, repo }) => {
      rmSync(join(admin, 'HEAD'));
      return none(symlinkSync(join(repo.path, 'README.md'), join(admin, 'HEAD')));
    },
  },
  {
    damage: 'HEAD is a pipe',
    make: ({ admin }) => {
      rmSync(join(admin, 'HEAD'));
      return none(execFileSync('mkfifo', [join(admin, 'HEAD')]));
    },
  },
  {
    damage: 'HEAD names a commit that does not exist',
    make: ({ admin }) => none(writeFileSync(join(admin, 'HEAD'), `${'1'.repeat(40)}\n`)),
    refuses: /HEAD .*1{12}/,
  },
  {
    damage: 'the branch names a commit that does not exist',
    make: ({ admin }) => none(writeFileSync(join(dirname(dirname(admin)), 'refs/heads/llmc/adam'), `${'1'.repeat(40)}\n`)),
    refuses: /llmc\/adam .*1{12}/,
  },
  {
    damage: 'the branch is garbage',
    make: ({ admin }) => none(writeFileSync(join(dirname(dirname(admin)), 'refs/heads/llmc/adam'), 'garbage\n')),
  },
  { damage: 'the index is broken', make: ({ admin }) => none(writeFileSync(join(admin, 'index'), 'garbage')) },
  {
    damage: 'the index is a folder',
    make: ({ admin, repo }) => {
      rmSync(join(admin, 'index'));
      return repo.write('index/x', '', admin).then(none);
    },
  },
  { damage: 'the .git file is gone', make: ({ at }) => none(rmSync(join(at, '.git'))) },
  {
    damage: 'its repository is gone',
    make: ({ admin }) => none(rmSync(dirname(dirname(admin)), { recursive: true })),
    without: ['first'],
  },
  { damage: 'the reflog is gone', make: ({ admin }) => none(rmSync(join(admin, 'logs'), { recursive: true })), without: ['first'] },
  {
    damage: 'the worktree is deleted',
    make: ({ at }) => none(rmSync(at, { recursive: true })),
    without: ['loose.txt'],
  },
  {
    damage: 'the worktree is deleted, and HEAD was detached at a commit',
    make: async ({ repo, at }) => {
      await repo.run(['checkout', '--quiet', '--detach'], at);
      const made = await repo.commit('Detached', { 'detached.txt': 'd\n' }, at);
      rmSync(at, { recursive: true });
      return [made];
    },
    without: ['loose.txt'],
  },
  {
    damage: 'the worktree and the branch are deleted',
    make: async ({ repo, at }) => {
      await repo.run(['update-ref', '-d', 'refs/heads/llmc/adam'], at);
      return none(rmSync(at, { recursive: true }));
    },
    without: ['loose.txt'],
  },
  {
    damage: 'a rebase that stopped with an autostash',
    make: async ({ repo, at }) => {
      await repo.run(['rebase', '--quiet', '--autostash', '--force-rebase', '--exec', 'false', 'HEAD~1'], at).catch(() => '');
      return [readFileSync(join(await repo.run(['rev-parse', '--absolute-git-dir'], at), 'rebase-merge/autostash'), 'utf8').trim()];
    },
  },
  {
    damage: 'a cherry-pick that stopped',
    make: async ({ repo, at, work }) => {
      await repo.run(['checkout', '--quiet', '--force', '--detach', 'origin/main'], at);
      const clash = await repo.commit('Clash', { 'work.txt': 'clash\n' }, at);
      return none(await repo.run(['cherry-pick', work], at).catch(() => '')).concat(clash);
    },
    without: ['staged.txt'],
  },
  {
    damage: 'a bisect',
    make: async ({ repo, at }) => none(await repo.run(['bisect', 'start', 'HEAD', 'HEAD~1'], at)),
  },
];

const VERBS = {
  reset: async ({ context }: ScratchWork) => void (await resetWorker(context, 'adam')),
  nuke: async ({ context }: ScratchWork) => void (await nukeWorker(context, 'adam')),
  start: async ({ context }: ScratchWork) => {
    const waits = await startTask({ ...context, agents: noAgents(context) }, { prompt: 'Next', worker: 'adam', timeoutMs: 0 }).catch(
      (error: unknown) => error,
    );
    if (!(waits instanceof LlmcError) || waits.code !== 'WAIT_TIMEOUT') throw waits;
  },
};

/** A root whose worker has a commit, an earlier version of it in the reflog, a staged and an untracked file. */
async function damagedWork({ make }: Row) {
  const work = await scratchWork();
  const { repo, context, worktree: at } = work;
  const first = await repo.commit('First', { 'first.txt': 'f\n' }, at);
  await repo.write('work.txt', 'w\n', at);
  await repo.run(['add', 'work.txt'], at);
  await repo.run(['commit', '--quiet', '--amend', '-m', 'Work'], at);
  const commit = await repo.run(['rev-parse', 'HEAD'], at);
  context.store.commit({
    worker: 'adam',
    kind: 'test',
    summary: 'its work is done',
    state: ({ workers }) => Object.assign(workers.adam ?? {}, { commit_sha: commit }),
  });
  await repo.write('staged.txt', 's\n', at);
  await repo.run(['add', 'staged.txt'], at);
  await repo.write('loose.txt', 'l\n', at);
  const more = await make({ repo, at, admin: join(context.layout.root, 'sandbox/adam/git/worktrees/adam'), work: commit });
  return { work, at, first, commit, more };
}

/** Every commit and every file that any rescue holds. */
async function savedIn({ repo, context: { layout } }: ScratchWork) {
  const refs = (await repo.run(['for-each-ref', '--format=%(refname)', 'refs/llmc/rescue'], layout.root)).split('\n').filter(Boolean);
  if (refs.length === 0) return { commits: [], files: [] };
  const objects = (await repo.run(['rev-list', '--objects', ...refs], layout.root)).split('\n').map((row) => row.split(' '));
  return { commits: objects.map(([sha]) => sha), files: objects.map(([, path]) => path) };
}

/** All save in the same way. What a removal and a start do besides, these show. */
const EVERYWHERE = [
  'HEAD is on an unborn branch',
  'the branch is deleted',
  'HEAD is empty',
  'HEAD names a commit that does not exist',
  'the index is broken',
  'the worktree is deleted, and HEAD was detached at a commit',
];

describe.each(Object.keys(VERBS) as (keyof typeof VERBS)[])('%s destroys nothing that is not saved:', (verb) => {
  const rows = ROWS.filter(({ damage }) => verb === 'reset' || EVERYWHERE.includes(damage));
  test.concurrent.each(rows)('$damage', async (row) => {
    const { work, at, first, commit, more } = await damagedWork(row);
    await using _ = work;
    const { without = [], refuses } = row;
    const act = VERBS[verb];
    if (refuses !== undefined) {
      const refusal = await act(work).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({ code: 'WORK_NOT_SAVED', message: expect.stringMatching(refuses) });
      expect(existsSync(join(at, 'loose.txt'))).toBe(true);
      follow(refusal, work);
    }
    await act(work);
    const saved = await savedIn(work);
    for (const sha of [commit, ...(without.includes('first') ? [] : [first]), ...more]) expect(saved.commits).toContain(sha);
    for (const file of ['loose.txt', 'staged.txt', 'work.txt'].filter((name) => !without.includes(name)))
      expect(saved.files).toContain(file);
    if (verb !== 'nuke') expect(await work.repo.run(['status', '--porcelain', '--branch'], at)).toBe('## llmc/adam');
    else expect(existsSync(at)).toBe(false);
  });
});

/** Types the commands of a hint that are not llmc's own. */
function follow(refusal: unknown, { repo }: ScratchWork): void {
  const hint = refusal instanceof LlmcError ? (refusal.hint ?? '') : '';
  const command = /: (git -c .*?)(?:, then|$)/.exec(hint)?.[1];
  expect(command).toBeDefined();
  execFileSync('sh', ['-c', command ?? 'false'], { env: { ...process.env, ...repo.env } as NodeJS.ProcessEnv });
}
