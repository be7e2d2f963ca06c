import { expect, test, vi } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { makeRunWorker } from '../../workers/tasks/run-worker.ts';
import { contextWorkers } from './context-workers.ts';

test('a worker whose agent is not installed is not made: its run is told at once, instead of after some starts', async () => {
  await using work = await scratchWork();
  const workers = contextWorkers(work.context);
  const worker = { name: 'fix-1-developer', run: 'fix-1', role: 'developer', agent: 'codex', model: undefined, prompt: '' };
  vi.stubEnv('PATH', '/nowhere');
  const made = workers.make(worker).finally(() => vi.unstubAllEnvs());
  await expect(made).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND', message: 'codex cannot be started: codex is not on PATH' });
  expect(workers.view(worker.name)).toBeUndefined();
});

test('a worker cannot be told more about a task that was lost with the database', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const workers = contextWorkers(context);
  const worker = 'swarm-1-developer';
  await makeRunWorker(context, { name: worker, run: 'swarm-1', role: 'developer', agent: 'demo' });
  await workers.give({
    id: 'swarm-1.1',
    worker,
    agent: 'demo',
    model: undefined,
    session: '',
    worktree: 'reset',
    base: null,
    conversation: 'fresh',
    expects: 'commit',
    files: [],
    prompt: 'Build it',
  });
  expect(workers.view(worker)).toMatchObject({ task: 'swarm-1.1', continues: true });
  context.store.database.exec('DELETE FROM tasks');
  expect(workers.view(worker)).toMatchObject({ task: 'swarm-1.1', continues: false });
});
