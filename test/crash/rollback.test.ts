import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { TASK } from './story.ts';
import { historyOf } from './swarm-story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const RUN = 'fix-1';
const PATIENCE_MS = 240_000;

/** The work lands, and a command refuses main until something was taken back from it. */
function workflow(world: CrashWorld): string {
  const line = `test "$(git -C ${world.repo.path} rev-list --count main)" -gt 2`;
  const file = join(world.repo.dir, 'fix.yaml');
  writeFileSync(
    file,
    [
      'name: fix',
      'roles: { developer: {} }',
      'stages:',
      `  - { id: develop, role: developer, prompt: ${TASK} }`,
      '  - { id: land, land: develop, by: run }',
      `  - { id: after, command: ${JSON.stringify(line)}, on_failure: { unmet: { rollback: develop } } }`,
    ].join('\n'),
  );
  return file;
}

const statusOf = (world: CrashWorld) => world.rows('SELECT status FROM runs WHERE id = ?', RUN)[0]?.status;
const asks = async (world: CrashWorld) => JSON.stringify((await world.llmc(['show', RUN])).out).includes('"type":"compensation"');

const FAULTS = rowsOfThisRun<Fault>(
  [
    ...(['archive:before-files', 'archive:after-files@2', 'run-undo:before-main', 'run-undo:after-main'] as const),
    ...(['undo:after-intent', 'undo:after-revert', 'undo:after-land'] as const),
  ],
  (fault) => fault === 'undo:after-land',
);

test.concurrent.for(FAULTS)(
  'a supervisor killed at %s while a run takes its landing back: main gets one revert, and the work is made and landed again once',
  async (fault, { signal }) => {
    await using world = await crashWorld([], signal);
    const file = workflow(world);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.must(['run', file, '--detach']);
    await until('the question', () => asks(world), PATIENCE_MS);
    await world.llmc(['decide', RUN, 'rollback']);
    await world.supervisorIsGone();
    expect(statusOf(world)).toBe('running');

    expect(await world.up()).toMatchObject({ status: 0 });
    await until('the run to end', async () => statusOf(world) !== 'running', PATIENCE_MS).catch((cause: unknown) => {
      throw new Error(historyOf(world), { cause });
    });
    expect(statusOf(world), historyOf(world)).toBe('done');
    expect(await world.repo.run(['log', '--format=%s', 'main'])).toBe(`${TASK}\nRevert "${TASK}"\n${TASK}\nBegin`);
    expect(world.rows('SELECT phase, outcome FROM undos')).toEqual([{ phase: 'settled', outcome: 'done' }]);
    const refs = await world.repo.run(['for-each-ref', '--format=%(refname)', `refs/llmc/runs/${RUN}/_archive`], world.layout.root);
    expect(refs.split('\n')).toEqual([`refs/llmc/runs/${RUN}/_archive/1/develop`, `refs/llmc/runs/${RUN}/_archive/1/land`]);
    const taken = world.rows("SELECT text FROM run_history WHERE text LIKE '%is taken back by%'");
    expect(taken, historyOf(world)).toHaveLength(1);
    expect(existsSync(world.layout.worktrees) ? readdirSync(world.layout.worktrees) : []).not.toContain('_undo');
  },
);
