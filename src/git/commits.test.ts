import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { commitsBetween } from './commits.ts';

test('a forged commit graph does not change what the commits of a worker contain', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  const treeOf = (commit: string) => repo.run(['rev-parse', `${commit}^{tree}`], at);
  const first = await repo.commit('First', { 'a.txt': 'good\n' }, at);
  const last = await repo.commit('Last', { 'b.txt': 'good\n' }, at);
  const [one, two] = [await treeOf(first), await treeOf(last)];
  await repo.run(['commit-graph', 'write', '--reachable'], root);
  const graph = join(root, '.git/objects/info/commit-graph');
  await chmod(graph, 0o644);
  const bytes = await readFile(graph);
  bytes.write(two, bytes.indexOf(Buffer.from(one, 'hex')), 'hex');
  await writeFile(graph, bytes);
  expect((await commitsBetween(repo.git, at, base, last)).map(({ tree }) => tree)).toEqual([one, two]);
});
