import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changed, type DamagedRoot, damagedRoot } from '../../test/support/damaged-root.ts';
import type { State, Worker } from '../store/state.ts';
import { Terminal } from '../terminal/terminal.ts';
import { PANE_FIELDS } from '../terminal/tmux-commands.ts';
import { repairRoot } from '../workers/repair/repair-root.ts';
import { repairState } from '../workers/repair/repair-state.ts';
import { aWorker } from '../workers/samples.ts';

let root: DamagedRoot;
beforeAll(async () => {
  root = await damagedRoot();
});
afterAll(async () => await root[Symbol.asyncDispose]());
beforeEach(() => root.renew());

test('a branch whose worker is being added is not taken for one without a worker', async () => {
  const { layout, repo, work } = root;
  await repo.run(['branch', 'llmc/baker', work], layout.root);
  const [done] = await root.own(async (context) => {
    const added = Promise.withResolvers<void>();
    const adding = context.locks.withLock('baker', async () => {
      await added.promise;
      const baker = aWorker({ name: 'baker', branch: 'llmc/baker', worktree_path: layout.worktree('baker') });
      const state = (draft: State) => void Object.assign(draft.workers, { baker });
      context.store.commit({ worker: 'baker', kind: 'added', summary: 'added', state });
    });
    const repairing = repairRoot(context, [{ kind: 'branch', branch: 'llmc/baker', tip: work }]);
    // What the repair asks git first is answered before this is.
    await repo.run(['for-each-ref'], layout.root);
    added.resolve();
    await adding;
    return await repairing;
  });
  expect(done).toMatchObject({ outcome: 'unneeded' });
  expect(await repo.run(['rev-parse', 'llmc/baker'], layout.root)).toBe(work);
});

test('a worker that gets a task before it is reset keeps its worktree', async () => {
  const { layout, repo } = root;
  await repo.write('draft.txt', 'half\n', layout.worktree('adam'));
  const [done] = await root.own(async (context) => {
    const given = Promise.withResolvers<void>();
    const giving = context.locks.withLock('adam', async () => {
      await given.promise;
      const change = (adam: Worker) => void Object.assign(adam, { status_before_offline: 'working', current_prompt: 'Do it.' });
      context.store.changeWorker('adam', { kind: 'task', summary: 'got a task', change });
    });
    const repairing = repairRoot(context, [{ kind: 'reset', worker: 'adam' }]);
    await repo.run(['status'], layout.worktree('adam'));
    given.resolve();
    await giving;
    return await repairing;
  });
  expect(done).toMatchObject({ outcome: 'unneeded' });
  expect(await repo.read('draft.txt', layout.worktree('adam'))).toBe('half\n');
});

test('a record is corrected once where its file cannot be written', async () => {
  root.editState((state) => changed(state, 'adam', { worktree_path: '' }));
  const stale = readFileSync(root.layout.state, 'utf8');
  const lines = await root.own((context) => repairState({ ...context, files: { ...context.files, readText: () => stale } }, false));
  expect(lines).toEqual([expect.stringMatching(/^adam: its worktree was recorded elsewhere/)]);
});

/** A tmux whose only session is that of adam, or one that hangs. */
const tmux = (state: 'runs' | 'hangs') =>
  new Terminal('/nowhere/tmux.sock', {
    run: async (command) => ({
      command,
      stderr: '',
      truncated: false,
      outcome: state === 'runs' ? { kind: 'exited', status: 0 } : { kind: 'timeout' },
      stdout: state === 'runs' && command.args.includes('list-panes') ? PANE_FIELDS.map((field) => VALUES[field] ?? '0').join('\t') : '',
    }),
  });
/** No process has this number: a repair that ends the session must not end anything here. */
const NOBODY = '999999999';
const VALUES: Readonly<Record<string, string>> = { session_name: 'llmc-adam', pane_id: '%1', pane_pid: NOBODY, '@llmc_mark': 'agent' };

test.each(['runs', 'hangs'] as const)('without a supervisor, no worker is reset whose agent may be at work (tmux %s)', async (state) => {
  const { layout, repo } = root;
  await repo.write('draft.txt', 'half\n', layout.worktree('adam'));
  root.editState((edited) => changed(edited, 'adam', { session_id: 'llmc-adam' }));
  const [done] = await root.own((context) => repairRoot({ ...context, terminal: tmux(state) }, [{ kind: 'reset', worker: 'adam' }]));
  expect(done).toMatchObject({ outcome: 'failed', lines: expect.arrayContaining([expect.stringContaining('llmc up --detach')]) });
  expect(await repo.read('draft.txt', layout.worktree('adam'))).toBe('half\n');
});
