import { expect, test, vi } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
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
