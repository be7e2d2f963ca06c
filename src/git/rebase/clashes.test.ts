import { expect, test } from 'vitest';
import { scratchRepo } from '../../../test/support/scratch-repo.ts';
import { type OtherWork, predictClashes, readTouched } from './clashes.ts';

const files = new Set(['a.txt']);

test('only work on the same files is merged, and at most eight at once; the rest is named as unknown', async () => {
  await using repo = await scratchRepo({ files: { 'a.txt': 'a\n' } });
  const base = await repo.run(['rev-parse', 'HEAD']);
  const from = async (message: string, changed: Readonly<Record<string, string>>) => {
    await repo.run(['checkout', '--quiet', '--detach', base]);
    return await repo.commit(message, changed);
  };
  const head = await from('Mine', { 'a.txt': 'mine\n' });
  const theirs = await from('Theirs', { 'a.txt': 'theirs\n' });
  const others = Array.from({ length: 10 }, (_, nth) => ({ name: `w${nth}`, head: theirs, base }));
  const predict = async (works: readonly OtherWork[]) =>
    await predictClashes(repo.git, repo.path, head, files, await readTouched(repo.git, repo.path, works));
  const found = await predict(others);
  expect(found.found).toEqual(others.slice(0, 8).map(({ name }) => ({ name, files: ['a.txt'] })));
  expect(found.unknown).toEqual(['w8', 'w9']);

  // A file cannot pass for another work: it has the name of its commit.
  const posing = await from('Pose', { [theirs]: 'x\n', 'a.txt': 'posing\n' });
  const elsewhere = await from('Elsewhere', { 'b.txt': 'b\n' });
  expect(
    await predict([
      { name: 'posing', head: posing, base },
      { name: 'theirs', head: theirs, base },
      { name: 'elsewhere', head: elsewhere, base },
      { name: 'unknown-base', head: theirs, base: null },
      { name: 'gone', head: '1'.repeat(40), base },
    ]),
  ).toEqual({
    found: ['posing', 'theirs', 'unknown-base'].map((name) => ({ name, files: ['a.txt'] })),
    unknown: ['gone'],
  });
});
