import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Pane, scratchTmux } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

const SCENARIO = `
turns:
  - when: Please say more
    steps: [{ edit: { path: more.txt, content: "more\\n" } }, { commit: Say more }, { say: There is more now. }]
  - when: Add c
    steps: [{ edit: { path: c.txt, content: "c\\n" } }, { commit: Add c }]
  - when: begin
    steps: [{ edit: { path: a.txt, content: "a\\n" } }, { commit: Add a }, { say: I added a. }]
  - steps: [{ edit: { path: b.txt, content: "b\\n" } }, { commit: Add b }, { say: "I added b. \\e[2J! It conflicts." }]
`;

const TASKS = { adam: 'begin', baker: 'Add b', carl: 'Add c' };

/** Workers whose work waits for a review, in this order. */
async function pendingWorld(...workers: readonly (keyof typeof TASKS)[]): Promise<World> {
  const world = await llmcWorld({ workers, scenario: SCENARIO });
  try {
    for (const name of workers) await world.ok('start', '--worker', name, '--prompt', TASKS[name], '--wait', '--timeout', '90s');
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

const asksAbout = (pane: Pane, worker: string) =>
  pane.waitFor(`the question about ${worker}`, ({ lines }) => lines.some((line) => line.startsWith(`${worker} (`)));

test('review --next goes through the queue in a narrow terminal without colours: accept, reject with a message, quit', async () => {
  await using world = await pendingWorld('adam', 'baker', 'carl');
  await using outside = await scratchTmux();
  const env = { ...world.env, NO_COLOR: '1' };
  const pane = await outside.start({
    name: 'queue',
    argv: [process.execPath, COMMAND, 'review', '--next'],
    cwd: world.dir,
    env,
    width: 60,
    height: 50,
  });
  const first = await asksAbout(pane, 'adam');
  expect(first.lines).toContain('Task: begin');
  expect(first.lines).toContain('Summary: I added a.');
  expect(first.lines).toContain('1 commit, 1 file, +1 -0');
  expect(first.lines).toContain('+a');
  expect(first.lines.findLast((line) => line !== '')).toBe('adam (2 more): [a]ccept [r]eject [s]kip [d]iff [q]uit');

  await pane.keys('a');
  const second = await asksAbout(pane, 'baker');
  expect(await pane.history()).toMatch(/\[q\]uit a\n(?:.*\n)*Landed \w{12} on main: Add a\nadam is idle again\.\n/);
  expect(second.lines).toContain('Summary: I added b. <U+001B>[2J! It conflicts.');
  expect(await world.git('log', '--format=%s', '--max-count=1')).toBe('Add a');
  expect(await world.worker('adam')).toMatchObject({ status: 'idle' });

  await pane.keys('r');
  await pane.waitFor('the question for feedback', ({ lines }) => lines.some((line) => line.startsWith('What should change?')));
  await pane.type('Please say more');
  await pane.keys('Enter');
  await asksAbout(pane, 'carl');
  await pane.keys('q');
  expect(await pane.exit()).toEqual({ status: 0, signal: null });
  const history = await pane.history();
  expect(history).toContain('baker has the feedback and is working on it.');
  expect(history).toContain('1 accepted, 1 sent back, 0 skipped. Still to review: carl');
  expect(await world.worker('carl')).toMatchObject({ status: 'needs_review' });
  expect(history).not.toContain('\u001b');

  await world.ok('wait', 'baker', '--for', 'needs_review', '--timeout', '90s');
  expect(await world.git('log', '--format=%s', '--max-count=1')).toBe('Add a');
  // The summary is kept with the worker, so it survives a restart of llmc.
  await world.ok('down');
  const shown = await world.ok('review', '--next');
  expect(shown).toContain('Summary: There is more now.');
  expect(shown).toContain('llmc accept baker   or   llmc reject --worker baker "…"');
});

test('skip, the diff, an empty feedback and Ctrl+C change nothing, the terminal is as before, and a list of files is not a review', async () => {
  await using world = await pendingWorld('adam', 'baker');
  await using outside = await scratchTmux();
  const line = `stty -a > before; "${process.execPath}" "${COMMAND}" review --next --stat; echo "status $?"; stty -a > after; cmp before after && echo same`;
  const pane = await outside.start({ name: 'queue', argv: ['sh', '-c', line], cwd: world.dir, env: world.env, width: 100, height: 50 });
  await asksAbout(pane, 'adam');
  // Neither a function key nor a pasted text decides anything.
  const asked = (times: number) => (screen: { readonly lines: readonly string[] }) =>
    screen.lines.filter((each) => each.startsWith('adam (1 more)')).length === times;
  await pane.keys('Up');
  await pane.waitFor('the question again, after a function key', asked(2));
  await pane.paste('aa');
  await pane.waitFor('the question again, after a pasted text', asked(3));
  await pane.keys('s');
  const listed = await asksAbout(pane, 'baker');
  expect(listed.lines).not.toContain('+b');
  await pane.keys('d');
  await pane.waitFor('the diff', ({ lines }) => lines.filter((each) => each.startsWith('baker (the last)')).length === 2);
  await pane.keys('r');
  await pane.waitFor('the question for feedback', ({ lines }) => lines.some((each) => each.startsWith('What should change?')));
  await pane.keys('Enter');
  await pane.waitFor('the question again', ({ lines }) => lines.filter((each) => each.startsWith('baker (the last)')).length === 3);
  await pane.keys('C-c');
  expect(await pane.exit()).toEqual({ status: 0, signal: null });
  const history = await pane.history();
  expect(history).toMatch(/CANCELLED: stopped; what was decided before stays so\n→ llmc status\nstatus 2\nsame/);
  expect(history).toMatch(/^\+b$/m);
  for (const name of ['adam', 'baker']) expect(await world.worker(name)).toMatchObject({ status: 'needs_review' });
  const { workers } = JSON.parse(readFileSync(join(world.root, 'state.json'), 'utf8'));
  expect([workers.adam.reviewed_patch_id === null, workers.baker.reviewed_patch_id === null]).toEqual([true, false]);

  // Where the review does not fit on the screen, the pager itself says how to get to the keys.
  const small = await outside.start({
    name: 'small',
    argv: [process.execPath, COMMAND, 'review', '--next'],
    cwd: world.dir,
    env: { ...world.env, GIT_PAGER: 'less' },
    width: 80,
    height: 8,
  });
  await small.waitFor('the pager', ({ lines }) => lines.some((each) => each.startsWith('q, then [a]ccept [r]eject [s]kip [d]iff [q]uit')));
  await small.keys('q');
  await asksAbout(small, 'adam');
  await small.keys('q');
  expect(await small.exit()).toEqual({ status: 0, signal: null });
  expect(await small.history()).toContain('(Leave the pager with q to decide.)');
});
