import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { runView } from '../../workflow/view/run-view.ts';
import { Told } from '../../workflow/view/told.fixture.ts';
import { withProgress } from './with-progress.ts';

test('an agent at work says how far it is, and a link in the place of its file says nothing', async () => {
  using scratch = scratchFolder();
  const told = new Told().reply('research', { kind: 'started' });
  const layout = { worktree: (worker: string) => join(scratch.path, worker) };
  const out = join(scratch.path, 'swarm-1-researcher/.llmc-task/out');
  const progress = async () => (await withProgress(layout, runView(told.run, [], told.at).stages)).map((stage) => stage.progress);
  expect(await progress()).toEqual([null, null, null, null]);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(scratch.path, 'other.yaml'), 'done: 1\ntotal: 1\n');
  symlinkSync(join(scratch.path, 'other.yaml'), join(out, 'progress.yaml'));
  expect(await progress()).toEqual([null, null, null, null]);
  told.work('research').reply('develop', { kind: 'started' });
  const own = join(scratch.path, 'swarm-1-developer/.llmc-task/out');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'progress.yaml'), 'done: 3\ntotal: 5\nnote: tests\n');
  expect(await progress()).toEqual([null, { done: 3, total: 5, note: 'tests' }, null, null]);
});
