import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import { nukeWorker } from '../nuke-worker.ts';
import { listPool, pickIdle } from '../pool/pick.ts';
import { aConfig, aWorker, ofRun } from '../samples.ts';
import { startTask } from '../start-task.ts';
import { dismissWorker, makeRunWorker } from './run-worker.ts';

const DEVELOPER = { name: 'swarm-1-developer', run: 'swarm-1', role: 'developer', agent: 'demo', model: 'small' };

describe('a worker of a run', () => {
  test('is made beside config.toml, rests, and is made once', async () => {
    await using work = await scratchWork();
    const { context } = work;
    const before = await readFile(context.layout.config, 'utf8');
    const made = await makeRunWorker(context, DEVELOPER);
    expect(made).toMatchObject({
      status: 'offline',
      session_id: 'llmc-swarm-1-developer',
      run: { id: 'swarm-1', role: 'developer', agent: 'demo', model: 'small', resting: true, task: null },
    });
    expect(await makeRunWorker(context, DEVELOPER)).toEqual(made);
    expect(await readFile(context.layout.config, 'utf8')).toBe(before);
    expect(await work.repo.run(['rev-parse', '--abbrev-ref', 'HEAD'], made.worktree_path)).toBe('llmc/swarm-1-developer');
  });

  test('takes no name of another worker', async () => {
    await using work = await scratchWork();
    await expect(makeRunWorker(work.context, { ...DEVELOPER, name: 'adam' })).rejects.toMatchObject({ code: 'WORKER_EXISTS' });
    await makeRunWorker(work.context, DEVELOPER);
    await expect(makeRunWorker(work.context, { ...DEVELOPER, run: 'swarm-2' })).rejects.toMatchObject({ code: 'WORKER_EXISTS' });
    await expect(makeRunWorker(work.context, { ...DEVELOPER, name: 'x', agent: 'nobody' })).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
    });
    expect(Object.keys(work.context.store.state.workers)).toEqual(['adam', DEVELOPER.name]);
  });

  test('gets no task from a person, with or without its name', async () => {
    await using work = await scratchWork({ worker: { status: 'working' } });
    const { context } = work;
    await makeRunWorker(context, DEVELOPER);
    context.store.changeWorker(DEVELOPER.name, {
      kind: 'test',
      summary: 'its session runs',
      change: (worker) => Object.assign(worker, { status: 'idle', status_before_offline: null }),
    });
    const config = await context.config();
    expect(listPool(context.store.state, config).map(({ name }) => name)).toEqual(['adam']);
    expect(() => pickIdle(context.store.state, config, 0)).toThrow(expect.objectContaining({ code: 'NO_IDLE_WORKER' }));
    await expect(startTask(context, { worker: DEVELOPER.name, prompt: 'Do it', timeoutMs: 1 })).rejects.toMatchObject({
      code: 'WORKER_BUSY',
      message: expect.stringContaining('swarm-1'),
    });
  });

  test('is removed with its worktree, once, and leaves config.toml alone', async () => {
    await using work = await scratchWork();
    const { context } = work;
    const { worktree_path } = await makeRunWorker(context, DEVELOPER);
    expect(await dismissWorker(context, DEVELOPER.name)).toEqual({ gone: true, rescued: null });
    expect(await dismissWorker(context, DEVELOPER.name)).toEqual({ gone: true, rescued: null });
    expect(context.files.exists(worktree_path)).toBe(false);
    await expect(dismissWorker(context, 'adam')).rejects.toMatchObject({ code: 'WORKER_BUSY' });
    expect(context.store.state.workers).toHaveProperty('adam');
  });

  test('leaves a rescue if it has what no ref of its run has', async () => {
    await using work = await scratchWork();
    const { context } = work;
    const { worktree_path } = await makeRunWorker(context, DEVELOPER);
    await work.repo.run(['commit', '--quiet', '--allow-empty', '-m', 'Work'], worktree_path);
    const { rescued } = await dismissWorker(context, DEVELOPER.name);
    expect(rescued).toEqual(expect.stringContaining('swarm-1-developer'));

    const again = await makeRunWorker(context, DEVELOPER);
    await work.repo.run(['commit', '--quiet', '--allow-empty', '-m', 'Other work'], again.worktree_path);
    await work.repo.run(['update-ref', 'refs/llmc/runs/swarm-1/develop', `llmc/${DEVELOPER.name}`], context.layout.root);
    expect(await dismissWorker(context, DEVELOPER.name)).toMatchObject({ rescued: null });
  });

  test('can be removed by a person', async () => {
    await using work = await scratchWork();
    await makeRunWorker(work.context, DEVELOPER);
    await nukeWorker(work.context, DEVELOPER.name);
    expect(Object.keys(work.context.store.state.workers)).toEqual(['adam']);
  });
});

describe('the settings of a worker', () => {
  const config = aConfig('[defaults]\nagent = "demo"\nmodel = "large"\nrole_prompt = "Be kind."\n[workers.adam]\nmodel = "small"\n');

  test.for([
    ['of config.toml', aWorker(), { model: 'small', rolePrompt: 'Be kind.', excludedFromPool: false }],
    ['of a run without its own', aWorker({ name: 'r', run: ofRun() }), { model: 'large', rolePrompt: 'Be kind.', excludedFromPool: true }],
    [
      'of a run, even under the name of another',
      aWorker({ run: ofRun({ model: 'tiny', role_prompt: 'You build.' }) }),
      { model: 'tiny', rolePrompt: 'You build.', excludedFromPool: true },
    ],
  ] as const)('%s', ([, worker, expected]) => {
    expect(chooseSettings(config, worker)).toMatchObject({ agent: 'demo', ...expected });
  });
});
