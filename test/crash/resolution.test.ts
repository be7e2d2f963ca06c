import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { play, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const LIST = 'one\ntwo\nthree\n';

/** Two commits, the first of which conflicts with main. The agent stages its resolution and leaves it to llmc to continue. */
const STORY = `
turns:
  - steps:
      - edit: { path: list.txt, replace: { old: two, new: "two by the worker" } }
      - commit: Change the list
      - edit: { path: notes.txt, content: "a note\\n" }
      - commit: Add a note
  - steps: [{ resolve: staged }]
`;

/** The recorded phase of the resolution when the process died. */
const ROWS: readonly [Fault, string][] = [
  ['rebase:after-intent', 'intended'],
  ['rebase:after-begin', 'intended'],
  ['rebase:after-asked', 'asked'],
  ['rebase:before-pass', 'asked'],
  ['rebase:after-commit', 'asked'],
  ['rebase:after-quit', 'asked'],
  ['rebase:after-pass', 'asked'],
  ['rebase:before-proof', 'asked'],
  ['rebase:after-proof', 'resolved'],
  ['rebase:after-validation', 'resolved'],
  ['rebase:after-settle', 'settled'],
];

/** The agent takes main's version, twice: nothing of its work is left. */
const LOSING = `
turns:
  - steps:
      - edit: { path: list.txt, replace: { old: two, new: "two by the worker" } }
      - commit: Change the list
  - steps: [{ run: "git checkout --ours -- list.txt && git add list.txt" }]
  - steps: [{ say: It stays so. }]
`;

async function conflictOnMain(world: CrashWorld): Promise<void> {
  await world.must(['start', '--prompt', TASK]);
  await world.reaches('adam', 'needs_review');
  await world.repo.commit('Change the list on main', { 'list.txt': LIST.replace('two', 'two by a person') });
}

describe('a supervisor killed while an agent resolves a conflict', () => {
  // One of each recorded phase in each run, and the point between two commits; src/git/rebase/pass-commit.test.ts repeats a step.
  const rows = rowsOfThisRun(ROWS, ([fault]) => /after-(begin|asked|commit|proof|settle)$/.test(fault));
  test.concurrent.for(rows)('at %s: the conflict is resolved once', async ([fault, phase], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    await world.repo.commit('A list', { 'list.txt': LIST });
    play(world, STORY);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await conflictOnMain(world);
    await world.llmc(['rebase', 'adam']);
    await world.supervisorIsGone();
    expect(world.rows('SELECT phase FROM resolutions')).toEqual([{ phase }]);

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    expect(world.rows('SELECT phase, outcome, attempts FROM resolutions')).toEqual([
      { phase: 'settled', outcome: 'resolved', attempts: 1 },
    ]);
    expect(world.promptsTaken('adam')).toHaveLength(2);
    const { worktree_path: at, branch } = world.worker('adam');
    const log = await world.repo.run(['log', '--format=%s', 'HEAD', '-n', '3'], at);
    expect(log).toBe('Add a note\nChange the list\nChange the list on main');
    expect(await world.repo.run(['symbolic-ref', '--short', 'HEAD'], at)).toBe(branch);
    expect(await world.repo.run(['status', '--porcelain'], at)).toBe('');
    await world.must(['accept', 'adam']);
    expect(await world.repo.read('list.txt')).toBe('one\ntwo by a person\ntwo by the worker\nthree\n');
    expect(await world.repo.run(['log', '--merges', '--format=%s'])).toBe('');
  });

  test('at rebase:after-rescue: the work from before is one rescue, and the person is told', async ({ signal }) => {
    await using world = await crashWorld(['adam'], signal);
    await world.repo.commit('A list', { 'list.txt': LIST });
    play(world, LOSING);
    expect(await world.up('rebase:after-rescue')).toMatchObject({ status: 0 });
    await conflictOnMain(world);
    const before = await world.repo.run(['rev-parse', 'HEAD'], world.worker('adam').worktree_path);
    await world.llmc(['rebase', 'adam']);
    await world.supervisorIsGone();
    expect(world.rows('SELECT phase, rescue FROM resolutions')).toEqual([{ phase: 'asked', rescue: null }]);

    expect(await world.up()).toMatchObject({ status: 0 });
    await world.reaches('adam', 'needs_review');
    const [{ rescue } = {}] = world.rows('SELECT rescue FROM resolutions');
    const refs = await world.repo.run(['for-each-ref', '--format=%(refname) %(parent)', 'refs/llmc/rescue'], world.layout.root);
    expect(refs).toBe(`refs/llmc/rescue/${rescue} ${before}`);
    expect(JSON.stringify((await world.llmc(['status'])).out)).toContain(`llmc rescue show ${rescue}`);
  });
});
