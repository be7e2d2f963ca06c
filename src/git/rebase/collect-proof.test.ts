import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { proofSchema } from '../../proof/proof.ts';
import { judgeProof } from '../../proof/verdict.ts';
import { outside } from '../run.ts';
import { collectProof } from './collect-proof.ts';

type Tree = Readonly<Record<string, string | null>>;

interface Trees {
  readonly base: Tree;
  readonly main: Tree;
  readonly worker: Tree;
  /** What the resolved rebase leaves, on top of main. */
  readonly result: Tree;
  readonly message?: string;
  readonly adjust?: (repo: ScratchRepo) => Promise<void>;
  readonly adjustWorker?: (repo: ScratchRepo) => Promise<void>;
  readonly ruled?: readonly string[];
}

async function commitOn(repo: ScratchRepo, start: string, tree: Tree, message: string, adjust?: Trees['adjust']): Promise<string> {
  await repo.run(['checkout', '--quiet', '--detach', start]);
  for (const [path, text] of Object.entries(tree)) if (text === null) await rm(join(repo.path, path));
  await adjust?.(repo);
  return await repo.commit(
    message,
    Object.fromEntries(Object.entries(tree).flatMap(([path, text]) => (text === null ? [] : [[path, text]]))),
  );
}

async function prove({ base, main, worker, result, message = 'Result', adjust, adjustWorker, ruled }: Trees) {
  await using repo = await scratchRepo({ files: { 'README.md': 'hello\n' } });
  const start = await commitOn(repo, 'HEAD', base, 'Base');
  const onto = await commitOn(repo, start, main, 'Main');
  const head = await commitOn(repo, start, worker, 'Worker', adjustWorker);
  const done = await commitOn(repo, onto, result, message, adjust);
  return proofSchema.parse(
    await collectProof(outside(repo.git), repo.path, { base: start, onto, head, result: done, ...(ruled && { ruled }) }),
  );
}

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const LONG = Array.from({ length: 20 }, (_, at) => `line number ${at} of a long file`);

test('a resolution with both additions is clean', async () => {
  const proof = await prove({
    base: { 'a.txt': text('one') },
    main: { 'a.txt': text('one', 'of main') },
    worker: { 'a.txt': text('one', 'of the worker') },
    result: { 'a.txt': text('one', 'of the worker', 'of main') },
  });
  expect(judgeProof(proof)).toBe('clean');
  expect(proof).toMatchObject({ dropped: [], resurrected: [], replaced: [], notes: [], counts: { files: 1 } });
});

test('a line of main that the result lacks is named with its file and number', async () => {
  const proof = await prove({
    base: { 'a dir/ä "b".txt': text('one') },
    main: { 'a dir/ä "b".txt': text('one', 'of main') },
    worker: { 'a dir/ä "b".txt': text('one', 'of the worker') },
    result: { 'a dir/ä "b".txt': text('one', 'of the worker') },
  });
  expect(judgeProof(proof)).toBe('losses');
  const origin = { commit: expect.stringMatching(/^[0-9a-f]{40}$/), author: expect.stringMatching(/./), subject: 'Main' };
  expect(proof.dropped).toEqual([{ side: 'main', path: 'a dir/ä "b".txt', line: 2, text: 'of main', by: null, origin, explained: false }]);
});

test('a trailer in a commit of the result explains the loss that it names, and no other', async () => {
  const proof = await prove({
    base: { 'a.txt': text('one') },
    main: { 'a.txt': text('one', '  of main: first', 'second of main') },
    worker: { 'a.txt': text('one', 'of the worker') },
    result: { 'a.txt': text('one', 'of the worker') },
    message: 'Result\n\nWhy.\n\nDropped: a.txt: of main: first\nDropped: b.txt: second of main\nReviewed-by: x',
  });
  expect(proof.dropped.map((each) => [each.text, each.explained])).toEqual([
    ['second of main', false],
    ['  of main: first', true],
  ]);
  expect(proof.counts).toMatchObject({ dropped: 2, unexplained: 1 });
});

const TEN = LONG.slice(0, 10);
/** Both sides change the last line of `a.txt`, and main adds lines at another place and in another file. */
const CONFLICT = {
  base: { 'a.txt': text(...TEN), 'b.txt': text(...TEN) },
  main: { 'a.txt': text('guard one', ...TEN.with(9, 'last of main')), 'b.txt': text(...TEN, 'guard two') },
  worker: { 'a.txt': text(...TEN.with(9, 'last of the worker')) },
};
const BOTH = TEN.toSpliced(9, 1, 'last of main', 'last of the worker');

test.for([
  ['nothing besides the conflict', { 'a.txt': text('guard one', ...BOTH) }, 'clean', []],
  ['another place of the file', { 'a.txt': text('# guard one', ...BOTH) }, 'losses', ['a.txt: guard one → # guard one']],
  [
    'another file',
    { 'a.txt': text('guard one', ...BOTH), 'b.txt': text(...TEN, 'not guard two') },
    'losses',
    ['b.txt: guard two → not guard two'],
  ],
] as const)('an edit of main’s lines in %s, which did not conflict, is a loss', async ([, result, verdict, dropped]) => {
  const proof = await prove({ ...CONFLICT, result });
  expect([judgeProof(proof), proof.dropped.map(({ path, text, by }) => `${path}: ${text} → ${by}`)]).toEqual([verdict, dropped]);
  for (const { side, origin } of proof.dropped) expect([side, origin?.subject]).toEqual(['main', 'Main']);
});

test('a file that the resolution renames is not clean', async () => {
  const { 'a.txt': moved, ...result } = { 'a.txt': text('guard one', ...BOTH) };
  const proof = await prove({ ...CONFLICT, result: { ...result, 'a.txt': null, 'a.disabled': moved } });
  expect(judgeProof(proof)).toBe('altered');
  expect(proof.notes).toContainEqual(expect.objectContaining({ kind: 'moved', path: 'a.txt', to: 'a.disabled' }));
});

test('a renamed file is followed: the worker edits what main renames', async () => {
  const proof = await prove({
    base: { 'old.txt': text(...LONG) },
    main: { 'old.txt': null, 'new.txt': text(...LONG.with(3, 'main changed this line')) },
    worker: { 'old.txt': text(...LONG.with(9, 'the worker has this'), 'added by the worker') },
    result: { 'new.txt': text(...LONG.with(3, 'main changed this line').with(9, 'the worker has this')) },
  });
  expect(proof.dropped).toMatchObject([{ side: 'worker', path: 'old.txt', line: 21, text: 'added by the worker' }]);
  expect(proof.stops).toEqual([]);
});

test('a new file of main in a folder that the worker renames is moved, not lost', async () => {
  const proof = await prove({
    base: { 'a/one.txt': text(...LONG) },
    main: { 'a/new.txt': text('new on main', 'second line') },
    worker: { 'a/one.txt': null, 'b/one.txt': text(...LONG) },
    result: { 'a/one.txt': null, 'b/one.txt': text(...LONG), 'a/new.txt': null, 'b/new.txt': text('new on main', 'second line') },
  });
  expect(judgeProof(proof)).toBe('altered');
  expect(proof.notes).toContainEqual({ kind: 'moved', path: 'a/new.txt', to: 'b/new.txt', lines: 2 });
  expect(proof.dropped).toEqual([]);
});

test('a change of the worker in lines that main moved to another file has to follow them', async () => {
  const [head, block] = [LONG.slice(0, 12), ['function moved() {', '  return compute(1, 2);', '}']];
  const changed = ['function moved() {', '  return compute(1, 2, 3);', '}'];
  const trees = {
    base: { 'a.ts': text(...head, ...block), 'b.ts': text('export {};') },
    main: { 'a.ts': text(...head), 'b.ts': text('export {};', ...block) },
    worker: { 'a.ts': text(...head, ...changed) },
  };
  const followed = await prove({ ...trees, result: { 'b.ts': text('export {};', ...changed) } });
  expect(judgeProof(followed)).toBe('altered');
  expect(followed.replaced).toMatchObject([
    { side: 'main', path: 'b.ts', how: 'deleted' },
    { side: 'worker', path: 'a.ts', how: 'moved', by: 'b.ts' },
  ]);
  const forgotten = await prove({ ...trees, result: { 'c.txt': text('not about it') } });
  expect(forgotten.dropped).toMatchObject([{ side: 'worker', path: 'a.ts', text: '  return compute(1, 2, 3);' }]);
});

test('hard stops: markers, an emptied file, a lost file, a mode, a binary file that is neither side', async () => {
  const proof = await prove({
    base: { 'a.txt': text('one'), 'b.txt': text('two'), 'c.txt': text('three'), 'd.txt': text('four'), 'e.bin': 'a\0b' },
    main: { 'a.txt': text('one main'), 'b.txt': text('two main'), 'c.txt': text('three', 'main'), 'e.bin': 'a\0main' },
    worker: { 'a.txt': text('one worker'), 'd.txt': text('four', 'worker'), 'e.bin': 'a\0worker' },
    result: {
      'a.txt': text('<<<<<<< HEAD', 'one main', '=======', 'one worker', '>>>>>>> abc (Worker)'),
      'b.txt': '',
      'c.txt': null,
      'd.txt': text('four', 'worker'),
      'e.bin': 'a\0third',
    },
    adjust: (repo) => chmod(join(repo.path, 'd.txt'), 0o755),
  });
  expect(judgeProof(proof)).toBe('hard_stop');
  expect(proof.stops.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: 'content', path: 'e.bin' },
    { kind: 'emptied', path: 'b.txt' },
    { kind: 'lost_file', path: 'c.txt', side: 'both' },
    { kind: 'markers', path: 'a.txt', line: 1 },
    { kind: 'mode', path: 'd.txt', expected: ['100644'], actual: '100755' },
  ]);
});

test('a result that is main itself, without the work, is a hard stop', async () => {
  const proof = await prove({
    base: { 'a.txt': text('one') },
    main: { 'a.txt': text('one', 'of main') },
    worker: { 'a.txt': text('one', 'of the worker') },
    result: {},
  });
  expect(proof.stops).toEqual([{ kind: 'empty_change' }]);
  const same = await prove({
    base: { 'a.txt': text('one') },
    main: { 'a.txt': text('one', 'same') },
    worker: { 'a.txt': text('one', 'same') },
    result: {},
  });
  expect(judgeProof(same)).toBe('clean');
});

test('a file that both sides changed and one deleted is a choice', async () => {
  const trees = { base: { 'a.txt': text('one', 'two') }, main: { 'a.txt': null }, worker: { 'a.txt': text('one', 'two', 'three') } };
  const deleted = await prove({ ...trees, result: { 'other.txt': text('work') } });
  expect(judgeProof(deleted)).toBe('altered');
  expect(deleted.notes).toContainEqual({ kind: 'file_deleted', path: 'a.txt', side: 'main' });
  const kept = await prove({ ...trees, result: { 'a.txt': text('one', 'two', 'three') } });
  expect(judgeProof(kept)).toBe('altered');
  expect(kept.notes).toEqual([{ kind: 'file_kept', path: 'a.txt', side: 'main' }]);
});

test('a link that names nothing of both sides is a hard stop', async () => {
  const proof = await prove({
    base: { 'a.txt': text('one') },
    main: { 'a.txt': text('one', 'main') },
    worker: { 'a.txt': text('one', 'worker') },
    result: { 'a.txt': null },
    adjust: (repo) => symlink('/etc/passwd', join(repo.path, 'a.txt')),
  });
  expect(proof.stops.map(({ kind }) => kind)).toContain('content');
});

test('a file that is too large is said to be unproven', async () => {
  const large = `${'x'.repeat(99)}\n`.repeat(25_000);
  const proof = await prove({
    base: { 'a.txt': large },
    main: { 'a.txt': `${large}main\n` },
    worker: { 'a.txt': `${large}worker\n` },
    result: { 'a.txt': `${large}worker\n` },
  });
  expect(proof.notes).toEqual([{ kind: 'too_large', path: 'a.txt' }]);
});

test('a name that is not a hash does not reach git', async () => {
  await using repo = await scratchRepo();
  const hash = await repo.run(['rev-parse', 'HEAD']);
  const proving = collectProof(repo.git, repo.path, { base: hash, onto: '--output=/tmp/x', head: hash, result: hash });
  await expect(proving).rejects.toThrow('is not the hash of a commit');
});

const LOCKS = ['a/x.lock', 'x.lock', 'y.sum'];

test('a file that a rule decides about is named, and its lines are not compared', async () => {
  const proof = await prove({
    base: { 'a/x.lock': 'base\n', 'a.txt': 'base\n' },
    main: { 'a/x.lock': 'main\n', 'a.txt': 'main\n' },
    worker: { 'a/x.lock': 'worker\n', 'a.txt': 'worker\n' },
    result: { 'a/x.lock': 'made\n', 'a.txt': 'main\nworker\n' },
    ruled: LOCKS,
  });
  expect(proof).toMatchObject({ dropped: [], stops: [], notes: [{ kind: 'by_rule', path: 'a/x.lock' }] });
  expect(judgeProof(proof)).toBe('clean');
});

test('a rule does not allow markers, and says nothing about a file that only one side changed', async () => {
  const proof = await prove({
    base: { 'x.lock': 'base\n', 'y.sum': 'base\n', z: text(...LONG) },
    main: { 'x.lock': 'main\n', 'y.sum': 'main\n', z: text('main', ...LONG) },
    worker: { 'x.lock': 'worker\n', z: null },
    result: { 'x.lock': '<<<<<<< HEAD\nmain\n=======\nworker\n>>>>>>> 1234567 (Work)\n', z: null },
    ruled: LOCKS,
  });
  expect(proof.stops).toEqual([{ kind: 'markers', path: 'x.lock', line: 1 }]);
  expect(proof.notes.filter(({ kind }) => kind === 'by_rule')).toEqual([{ kind: 'by_rule', path: 'x.lock' }]);
});

test('a link that the result keeps under another name is not a new file', async () => {
  const proof = await prove({
    base: {},
    main: { f: 'text\n' },
    worker: {},
    adjustWorker: (repo) => symlink('target', join(repo.path, 'f')),
    result: {},
    adjust: (repo) => symlink('target', join(repo.path, 'l')),
  });
  expect(proof).toMatchObject({ stops: [], notes: [{ kind: 'file_chosen', path: 'f', side: 'main' }] });
});

test('a link that neither side has is a hard stop', async () => {
  const proof = await prove({
    base: {},
    main: { f: 'text\n' },
    worker: {},
    adjustWorker: (repo) => symlink('target', join(repo.path, 'f')),
    result: {},
    adjust: (repo) => symlink('/etc', join(repo.path, 'l')),
  });
  expect(proof.stops).toContainEqual({ kind: 'content', path: 'l' });
});
