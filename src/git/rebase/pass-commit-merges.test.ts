import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { fetchMain } from '../source/fetch.ts';
import { beginRebase } from './begin-rebase.ts';
import { passCommit } from './pass-commit.ts';
import { readSituation } from './stopped-rebase.ts';

const BRANCH = 'llmc/adam';

interface Worker {
  readonly at: string;
  commit(subject: string, path: string): Promise<string>;
  run(...args: readonly string[]): Promise<string>;
  main(subject: string, files: Readonly<Record<string, string>>): Promise<void>;
}

/** Each line ends with the merge of two sides, or of main; commits named "Clash …" conflict with main in their file. */
const SHAPES: readonly (readonly [string, (worker: Worker) => Promise<unknown>, readonly string[]])[] = [
  [
    'a side beside the commit that conflicts',
    async ({ commit, run }) => {
      const begin = await run('rev-parse', 'HEAD');
      await commit('Side', 's.txt');
      const side = await run('rev-parse', 'HEAD');
      await run('reset', '--quiet', '--hard', begin);
      await commit('Clash a', 'a.txt');
      await run('merge', '--quiet', '--no-edit', side);
      await commit('Last', 'l.txt');
    },
    ['Clash a', 'Last', 'Side'],
  ],
  [
    'both sides conflict',
    async ({ commit, run }) => {
      const begin = await run('rev-parse', 'HEAD');
      await commit('Clash b', 'b.txt');
      await commit('Side', 's.txt');
      const side = await run('rev-parse', 'HEAD');
      await run('reset', '--quiet', '--hard', begin);
      await commit('First', 'f.txt');
      await commit('Clash a', 'a.txt');
      await run('merge', '--quiet', '--no-edit', side);
      await commit('Last', 'l.txt');
    },
    ['Clash a', 'Clash b', 'First', 'Last', 'Side'],
  ],
  [
    'an older main that the worker merged',
    async ({ commit, run, main }) => {
      await commit('Clash a', 'a.txt');
      await main('Older main', { 'o.txt': 'o\n' });
      await run('fetch', '--quiet', 'origin');
      await run('merge', '--quiet', '--no-edit', 'origin/main');
      await commit('Last', 'l.txt');
    },
    ['Clash a', 'Last'],
  ],
];

async function workerOf(repo: ScratchRepo) {
  await repo.commit('Files', { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const { root, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  const worker: Worker = {
    at,
    commit: (subject, path) => repo.commit(subject, { [path]: `worker ${subject}\n` }, at),
    run: (...args) => repo.run([...args], at),
    main: async (subject, files) => {
      await repo.commit(subject, files);
      await fetchMain(repo.git, root, 'main', repo.path);
    },
  };
  return { root, worker };
}

test.each(SHAPES)('every commit is moved once: %s', async (_, build, subjects) => {
  await using repo = await scratchRepo();
  const { root, worker } = await workerOf(repo);
  await build(worker);
  const { at, run } = worker;
  const head = await run('rev-parse', 'HEAD');
  await repo.commit('Main', { 'a.txt': 'main\n', 'b.txt': 'main\n' });
  const onto = await fetchMain(repo.git, root, 'main', repo.path);
  const rebasing = { head, onto };
  let begun = await beginRebase(repo.git, at, { onto, after: onto, branch: BRANCH });
  for (let stops = 0; begun.kind === 'stopped' && stops < 5; stops += 1) {
    const situation = await readSituation(repo.git, at, rebasing);
    if (situation.kind !== 'stopped' || situation.commit === undefined) throw new Error('the rebase stopped at no commit of the worker');
    for (const path of situation.unmerged) {
      await repo.write(path, `main\nworker\n`, at);
      await run('add', path);
    }
    begun = await passCommit(repo.git, at, { ...rebasing, branch: BRANCH, commit: situation.commit, from: situation.head });
  }
  expect(begun).toEqual({ kind: 'over' });
  expect((await run('log', '--format=%s', `${onto}..${BRANCH}`)).split('\n').sort()).toEqual(subjects);
  expect(await run('show', 'HEAD:a.txt')).toBe('main\nworker');
});
