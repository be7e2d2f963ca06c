import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../../system/files/system-files.ts';
import { treeFiles } from '../../../system/files/tree-files.ts';
import { newRun, swarmPlan } from '../../next/samples.ts';
import { Artifacts } from '../artifacts.ts';
import { Exchange } from '../exchange.ts';
import { FakeWorkers } from '../samples.ts';
import { performArchive } from './archive.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'llmc-archive-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('files are moved and the commit is kept under a ref; a second time nothing happens', async () => {
  const artifacts = new Artifacts(systemFiles, (run) => join(root, run));
  const workers = new FakeWorkers(join(root, 'worktrees'));
  const refs = new Map<string, string>();
  const git = {
    work: () => Promise.reject(new Error('not asked')),
    hasTaskFolder: () => Promise.resolve(false),
    keep: (_: string, step: string, commit: string) => Promise.resolve(void refs.set(step, commit)),
    diff: () => Promise.resolve(''),
  };
  const context = { artifacts, git, workers, exchange: new Exchange(treeFiles), clock: { now: () => 0 }, fault: () => undefined };
  const { path } = artifacts.store('swarm-1', 'write/s3-1', 'section.md', '# Three\n', null);
  const task = { kind: 'archive', number: 1, folder: 'archive/1-write~s3', files: [path], commit: 'c1' } as const;
  const perform = () => performArchive(context, newRun(swarmPlan(), 0), { id: 'swarm-1.9', step: 'write/s3', task }, task);
  await perform();
  await perform();
  expect(existsSync(join(root, 'swarm-1', path))).toBe(false);
  expect(readFileSync(join(root, 'swarm-1', 'archive/1-write~s3', path.replace('artifacts/', '')), 'utf8')).toBe('# Three\n');
  expect([...refs]).toEqual([['_archive/1/write/s3', 'c1']]);
});
