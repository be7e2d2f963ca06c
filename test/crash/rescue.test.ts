import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const killed = { status: null, signal: 'SIGKILL' };

type Row = readonly [verb: 'reset' | 'nuke', fault: Fault, state: keyof typeof STATES];

/** How an agent left its worktree. */
const STATES = {
  'on an unborn branch': ({ repo }: CrashWorld, at: string) => repo.run(['checkout', '--quiet', '--orphan', 'x'], at),
  'without its branch': ({ repo }: CrashWorld, at: string) => repo.run(['update-ref', '-d', 'refs/heads/llmc/adam'], at),
  'with an empty HEAD': ({ layout }: CrashWorld) => truncateSync(join(layout.root, 'sandbox/adam/git/worktrees/adam/HEAD')),
  'with a broken index': ({ repo, layout }: CrashWorld) =>
    repo.write('index', 'garbage', join(layout.root, 'sandbox/adam/git/worktrees/adam')),
} as const;

const ROWS: readonly Row[] = [
  ['reset', 'rescue:before-ref', 'on an unborn branch'],
  ['reset', 'rescue:after-ref', 'with an empty HEAD'],
  ['reset', 'reset:after-branch', 'on an unborn branch'],
  ['reset', 'reset:after-branch', 'without its branch'],
  ['nuke', 'rescue:before-ref', 'without its branch'],
  ['nuke', 'rescue:after-ref', 'with a broken index'],
  ['nuke', 'remove:after-files', 'on an unborn branch'],
  ['nuke', 'remove:after-files', 'with an empty HEAD'],
];

// The other states of a worktree are saved in src/workers/nothing-destroyed.test.ts.
test.concurrent.for(rowsOfThisRun(ROWS, ([, , state]) => state === 'on an unborn branch'))(
  '%s killed at %s, with a worktree %s: called again, it is done, and commits and files are saved',
  async ([verb, fault, state], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    const { repo, layout } = world;
    const at = layout.worktree('adam');
    const first = await repo.commit('First', { 'first.txt': 'f\n' }, at);
    await repo.run(['commit', '--quiet', '--amend', '-m', 'Second'], at);
    const second = await repo.run(['rev-parse', 'HEAD'], at);
    await repo.write('loose.txt', 'l\n', at);
    await STATES[state](world, at);
    expect(await world.llmc([verb, 'adam', '--yes'], fault)).toMatchObject(killed);
    await world.must([verb, 'adam', '--yes']);
    const refs = await repo.run(['for-each-ref', '--format=%(refname)', 'refs/llmc/rescue'], layout.root);
    const saved = await repo.run(['rev-list', '--objects', ...refs.split('\n')], layout.root);
    for (const kept of [first, second, ' loose.txt']) expect(saved).toContain(kept);
    if (verb === 'reset') expect(await repo.run(['status', '--porcelain', '--branch'], at)).toBe('## llmc/adam');
    else expect(await repo.run(['for-each-ref', 'refs/heads/llmc'], layout.root)).toBe('');
  },
);
