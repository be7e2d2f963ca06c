import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { wholeDiff } from '../diff.ts';
import { changeSince } from './change-since.ts';

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const text = (changes: Readonly<Record<number, string>>) => `${LINES.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;

/** Commits on a branch of their own, from a base. */
async function branched(repo: ScratchRepo, base: string, changes: Readonly<Record<number, string>>): Promise<string> {
  await repo.run(['checkout', '--quiet', '--detach', base]);
  return await repo.commit('Work', { 'a.txt': text(changes) });
}

test('the difference of two versions of work on two mains is that of the work alone', async () => {
  await using repo = await scratchRepo();
  const base = await repo.commit('Base', { 'a.txt': text({}) });
  const reviewed = await branched(repo, base, { 2: 'two' });
  const main = await branched(repo, base, { 11: 'main' });
  const head = await branched(repo, main, { 2: 'TWO', 11: 'main' });
  const change = await changeSince(repo.git, repo.path, { base: main, reviewed, head });
  const lines = change && wholeDiff(change).split('\n');
  expect(lines?.filter((line) => /^[-+](?![-+])/.test(line))).toEqual(['-two', '+TWO']);
});

test('there is nothing to compare with if main changed the same lines, or the reviewed commit is gone', async () => {
  await using repo = await scratchRepo();
  const base = await repo.commit('Base', { 'a.txt': text({}) });
  const reviewed = await branched(repo, base, { 2: 'two' });
  const main = await branched(repo, base, { 2: 'main' });
  const head = await branched(repo, main, { 2: 'both' });
  expect(await changeSince(repo.git, repo.path, { base: main, reviewed, head })).toBeUndefined();
  expect(await changeSince(repo.git, repo.path, { base: main, reviewed: 'd'.repeat(40), head })).toBeUndefined();
});
