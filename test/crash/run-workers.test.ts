import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { FaultPoint } from '../../src/base/fault.ts';
import { Store } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { type ScratchWork, scratchWork } from '../support/scratch-work.ts';

const STORY = fileURLToPath(import.meta.resolve('./run-worker-story.ts'));

async function play({ repo, context }: ScratchWork, commit: string, options: readonly string[], fault?: FaultPoint) {
  const env = { ...repo.env, ...(fault !== undefined && { LLMC_FAULT: fault }) };
  return await systemProcesses.run({ file: process.execPath, args: [STORY, context.layout.root, commit, ...options], env }, {});
}

const POINTS: readonly FaultPoint[] = [
  ...(['run-worker:before-record', 'task:before-commit', 'task:after-commit', 'follow-up:before-commit'] as const),
  ...(['follow-up:after-commit', 'rest:after-record', 'offer:before-commit', 'offer:after-commit', 'run-worker:before-forget'] as const),
];

test.concurrent.for(POINTS)('a run is killed at %s: each of its tasks is given once', async (point) => {
  await using work = await scratchWork();
  const commit = await work.repo.commit('Work', { 'a.txt': 'a\n' }, work.worktree);
  const options = point === 'run-worker:before-forget' ? ['--dismiss'] : [];
  expect(await play(work, commit, options, point)).toMatchObject({ outcome: { kind: 'signaled', signal: 'SIGKILL' } });
  const again = await play(work, commit, options);
  expect(again).toMatchObject({ outcome: { kind: 'exited', status: 0 }, stderr: '' });
  using store = new Store(work.context.layout, systemClock);
  const rows = (sql: string) =>
    store.database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row).join(' '));
  expect(rows('SELECT id FROM tasks ORDER BY rowid')).toEqual(['a1', 'f1', ...(options.length > 0 ? [] : ['l1'])]);
  expect(rows('SELECT task FROM task_reports ORDER BY seq')).toEqual(['a1', 'f1']);
  if (options.length > 0) expect(Object.keys(store.state.workers)).toEqual(['adam']);
  else {
    expect(rows("SELECT id FROM deliveries WHERE worker = 'swarm-1-dev' ORDER BY seq")).toEqual(['a1', 'f1']);
    expect(store.worker('swarm-1-dev')).toMatchObject({
      status: 'offline',
      status_before_offline: 'needs_review',
      commit_sha: commit,
      run: { resting: true, task: { id: 'l1', kind: 'review' } },
    });
  }
});
