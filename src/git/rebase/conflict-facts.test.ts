import { describe, expect, test } from 'vitest';
import { CONFLICT_CASES, changed, TEN } from '../../../test/support/conflict-cases.ts';
import { conflicting, put, type Tree } from '../../../test/support/conflicting.ts';
import { scratchRepo } from '../../../test/support/scratch-repo.ts';
import { type ConflictFacts, readConflict } from './conflict-facts.ts';

const byPath = (facts: ConflictFacts) => Object.fromEntries(facts.files.map(({ path, clash }) => [path.replace(/~.*$/s, '~…'), clash]));

describe('a conflict is classified', () => {
  test.each(CONFLICT_CASES)('$name', async ({ base = {}, submodules = {}, main, worker, clashes }) => {
    await using repo = await scratchRepo();
    const { worktree, ...rebasing } = await conflicting(repo, { base, submodules, main: [main], worker: [worker] });
    const facts = await readConflict(repo.git, worktree, rebasing);
    expect(byPath(facts)).toEqual(clashes);
    const unmerged = await repo.run(['diff', '--name-only', '--diff-filter=U', '-z'], worktree);
    expect(facts.files.map(({ path }) => path).sort()).toEqual([...new Set(unmerged.split('\0').filter(Boolean))].sort());
    expect(facts.files.every(({ state }) => state === 'unmerged')).toBe(true);
  });
});

const NAMES = ['two words', 'ünï 文字', 'it\'s "quoted"', '-dash', 'line\nfeed', 'back\\slash', 'tab\there', ':(top)x', '*.glob'];

test('every file name that git allows is read as it is', async () => {
  await using repo = await scratchRepo();
  const all = (text: string): Tree => Object.fromEntries(NAMES.map((name) => [name, text]));
  const { worktree, ...rebasing } = await conflicting(repo, {
    base: all(TEN),
    main: [{ subject: 'Main', files: all(changed(5, 'main\n')) }],
    worker: [{ files: all(changed(5, 'worker\n')) }],
  });
  const { files } = await readConflict(repo.git, worktree, rebasing);
  expect(files.map(({ path }) => path).sort()).toEqual([...NAMES].sort());
  for (const { regions, markers, touchedBy } of files) {
    expect(regions.map(({ main, worker }) => [main.lines, worker.lines])).toEqual([[['main'], ['worker']]]);
    expect(markers).toHaveLength(4);
    expect(touchedBy).toMatchObject([{ subject: 'Main' }]);
  }
  await repo.run(['add', '--all'], worktree);
  const staged = await readConflict(repo.git, worktree, rebasing);
  expect(staged.files.map(({ state, markers }) => [state, markers.length])).toEqual(NAMES.map(() => ['staged', 4]));
});

describe('regions', () => {
  test('have their lines in all three versions, the base and the context', async () => {
    await using repo = await scratchRepo();
    const twice = `${TEN}${TEN}`;
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: { f: twice },
      main: [{ files: { f: `top\nof main\n${twice.slice(0, TEN.length)}${changed(5, 'main\nmore\n')}` } }],
      worker: [{ files: { f: `${TEN}${changed(5, 'worker\n')}` } }],
    });
    const [file] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(file?.regions).toEqual([
      {
        line: 17,
        main: { start: 17, lines: ['main', 'more'] },
        base: { start: 15, lines: ['line 5'] },
        worker: { start: 15, lines: ['worker'] },
        before: ['line 7', 'line 8', 'line 9', 'line 10', 'line 1', 'line 2', 'line 3', 'line 4'],
        after: ['line 6', 'line 7', 'line 8', 'line 9', 'line 10'],
      },
    ]);
    const shown = (await repo.read('f', worktree)).split('\n');
    expect(file?.markers.map((line) => shown[line - 1]?.slice(0, 7))).toEqual(['<<<<<<<', '|||||||', '=======', '>>>>>>>']);
  });

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('with %s line ends', async (_, end) => {
    await using repo = await scratchRepo();
    const ended = (text: string) => text.replaceAll('\n', end);
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: { f: ended(TEN) },
      main: [{ files: { f: ended(changed(2, 'main 2\n', changed(8, 'main 8\n'))) } }],
      worker: [{ files: { f: ended(changed(2, 'worker 2\n', changed(8, 'worker 8\n'))) } }],
    });
    const [file] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(file?.regions.map(({ line, main, base, worker }) => [line, main, base.lines, worker.lines])).toEqual([
      [2, { start: 2, lines: ['main 2'] }, ['line 2'], ['worker 2']],
      [14, { start: 8, lines: ['main 8'] }, ['line 8'], ['worker 8']],
    ]);
    expect(file?.markers).toHaveLength(8);
  });

  test('of a file that contains markers as text count only the markers of git', async () => {
    await using repo = await scratchRepo();
    const literal = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n';
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: { 'guide.md': `${literal}${TEN}` },
      main: [{ files: { 'guide.md': `${literal}${changed(5, `main\n${literal}`)}`, 'other.md': literal } }],
      worker: [{ files: { 'guide.md': `${literal}${changed(5, `worker\n=======\nheading\n`)}` } }],
    });
    const [file, ...others] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(others).toEqual([]);
    expect(file?.regions).toMatchObject([
      {
        line: 10,
        main: { start: 10, lines: ['main', ...literal.trimEnd().split('\n')] },
        base: { start: 10, lines: ['line 5'] },
        worker: { start: 10, lines: ['worker', '=======', 'heading'] },
      },
    ]);
    const resolved = `${literal}${changed(5, `main\n${literal}worker\n=======\nheading\n`)}`;
    await put(worktree, { 'guide.md': resolved });
    const [after] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(after).toMatchObject({ state: 'unmerged', markers: [] });
    await repo.run(['add', '--all'], worktree);
    const [staged] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(staged).toMatchObject({ state: 'staged', markers: [] });
  });

  test('follow a file that the worker renamed', async () => {
    await using repo = await scratchRepo();
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: { old: TEN },
      main: [{ subject: 'Change old', files: { old: changed(5, 'main\n') } }],
      worker: [{ rename: { old: 'new' }, files: { new: changed(5, 'worker\n') } }],
    });
    const [file] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(file).toMatchObject({
      path: 'new',
      clash: { kind: 'content' },
      names: { base: 'old', main: 'old' },
      regions: [{ main: { lines: ['main'] }, worker: { lines: ['worker'] } }],
      touchedBy: [{ subject: 'Change old' }],
    });
  });

  test('of a file with two new names have the versions of both sides', async () => {
    await using repo = await scratchRepo();
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: { old: TEN },
      main: [{ rename: { old: 'm' }, files: { m: changed(5, 'main\n') } }],
      worker: [{ rename: { old: 'w' }, files: { w: changed(5, 'worker\n') } }],
    });
    const { files } = await readConflict(repo.git, worktree, rebasing);
    for (const path of ['m', 'w']) {
      expect(files.find((file) => file.path === path)).toMatchObject({
        regions: [{ line: 5, main: { start: 5, lines: ['main'] }, base: { lines: ['line 5'] }, worker: { lines: ['worker'] } }],
        markers: [5, 7, 9, 11],
      });
    }
  });

  test('have no line once the markers were edited, or in another style than llmc starts a rebase with', async () => {
    await using repo = await scratchRepo();
    const far = (side: string) => changed(2, `${side}\nx\ny\nz\nu\nv\nw\n${side} end\n`);
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: { f: TEN },
      main: [{ files: { f: far('main') } }],
      worker: [{ files: { f: far('worker') } }],
      style: 'merge',
    });
    const [file] = (await readConflict(repo.git, worktree, rebasing)).files;
    expect(file?.regions.map(({ line }) => line)).toEqual([undefined]);
    expect(file?.markers).toHaveLength(6);
  });
});

describe('the stop', () => {
  test('is commit n of m, with its subject', async () => {
    await using repo = await scratchRepo();
    const { worktree, commits, ...rebasing } = await conflicting(repo, {
      base: { f: TEN },
      main: [{ subject: 'Main', files: { f: changed(5, 'main\n') } }],
      worker: [
        { subject: 'First', files: { other: 'x\n' } },
        { subject: 'Second ünï', files: { f: changed(5, 'worker\n') } },
        { subject: 'Third', files: { other: 'y\n' } },
      ],
    });
    const { stop, files } = await readConflict(repo.git, worktree, rebasing);
    expect(stop).toEqual({ commit: commits[1], subject: 'Second ünï', progress: { position: 2, total: 3 } });
    expect(files.map(({ path }) => path)).toEqual(['f']);
  });

  test('is read again at each commit, on the base of that commit', async () => {
    await using repo = await scratchRepo();
    const { worktree, commits, ...rebasing } = await conflicting(repo, {
      base: { f: TEN, g: TEN },
      main: [
        { subject: 'Main f', files: { f: changed(5, 'main f\n') } },
        { subject: 'Main g', files: { g: changed(5, 'main\n') } },
      ],
      worker: [
        { subject: 'One', files: { f: changed(5, 'worker\n'), g: changed(1, 'first\n') } },
        { subject: 'Two', files: { g: changed(5, 'worker\n', changed(1, 'first\n')) } },
      ],
    });
    await put(worktree, { f: changed(5, 'both\n') });
    await repo.run(['add', 'f'], worktree);
    await repo.git.run({ at: worktree, access: 'write', args: ['-c', 'merge.conflictStyle=diff3', 'rebase', '--continue'] });
    const { stop, files } = await readConflict(repo.git, worktree, rebasing);
    expect(stop).toMatchObject({ commit: commits[1], progress: { position: 2, total: 2 } });
    expect(files).toMatchObject([{ path: 'g', regions: [{ main: { lines: ['main'] } }], touchedBy: [{ subject: 'Main g' }] }]);
  });

  test('and its files are empty without a rebase', async () => {
    await using repo = await scratchRepo();
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: {},
      main: [{ files: { m: 'm\n' } }],
      worker: [{ files: { w: 'w\n' } }],
    });
    expect(await readConflict(repo.git, worktree, rebasing)).toEqual({ stop: undefined, files: [], leftOut: 0 });
  });
});
