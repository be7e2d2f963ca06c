import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { llmcWorld, type World } from '../support/world.ts';

let world: World;
let outside: ScratchTmux;

beforeAll(async () => {
  const asks = 'turns: [{ steps: [{ ask: { question: Which way?, choices: [Left, Right] } }, { commit: Answered }] }]';
  world = await llmcWorld({ workers: ['adam', 'ben'], scenario: { eve: asks } });
  // A task that names nobody must not go to the one that is asked to ask.
  await world.ok('add', 'eve', '--excluded');
  outside = await scratchTmux();
});
afterAll(async () => {
  await outside?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const subjects = async () => (await world.git('log', '--format=%s', 'main')).split('\n').slice(0, -1);

test('from llmc to the first accepted commit: one key each, and nothing lands that was not on the screen', async () => {
  await world.ok('start', '--worker', 'adam', 'Write a poem', '--wait');
  await world.ok('start', '--worker', 'ben', 'Write a song', '--wait');
  const view = await openView(outside, world);
  let pressed = 0;
  const press = async (key: string) => {
    pressed += 1;
    await view.keys(key);
  };
  await view.shows(/2 to review/);
  await view.shows(/\+- .*Write a poem/);
  await view.sees('adam');
  await press('a');
  expect(pressed, 'keystrokes from llmc to the accept of the oldest work').toBeLessThanOrEqual(3);
  await view.shows(/adam: landed [0-9a-f]{12} on main: Write a poem/);
  expect(await subjects()).toEqual(['Write a poem']);
  await view.shows(/\+- .*Write a song/);
  await view.accept('ben');
  await view.shows(/ben: landed/);
  await view.keys('u');
  await view.shows(/Take .*"Write a song", the last accept of ben, back from main\? \[y\/N\]/);
  await view.keys('y');
  await view.shows(/was taken back from main/);
  expect(await subjects()).toEqual(['Write a poem']);

  await view.shows(/\+- .*Write a song/);
  pressed = 0;
  await press('Right');
  await press('J');
  await press('c');
  await view.shows(/comment on llmc-demo\/ben\.md:\d+›/);
  await view.type('Too loud');
  await press('Enter');
  await view.shows(/Too loud/);
  await press('r');
  await view.shows(/words beside 1 comment to ben, or none›/);
  await view.type('Almost there');
  await press('Enter');
  expect(pressed, 'keystrokes beside the texts for a rejection with a comment and a sentence').toBeLessThanOrEqual(6);
  await view.shows(/ben has the feedback/);
  await view.keys('Q');
  await view.shows(/status 0/);
  const said = await world.ok('logs', 'ben', '--conversation');
  expect(said).toContain('Too loud');
  expect(said).toContain('Almost there');
});

test('the screen comes back as it was, whatever ends the view; it fits any size and says when the supervisor is gone', async () => {
  const view = await openView(outside, world, 'sizes');
  await view.shows(/adam +idle/);
  for (const [width, height] of [
    [60, 20],
    [200, 60],
    [30, 8],
    [120, 40],
  ] as const) {
    await view.resize(width, height);
    await view.waitFor(
      `${width}×${height}`,
      ({ lines }) => lines.length >= height - 1 && /^enter attach|^a accept/.test(lines[height - 1] ?? ''),
    );
  }
  await world.killSupervisor();
  await view.shows(/no supervisor is running|supervisor has ended|does not answer/);
  await view.keys('n');
  await view.shows(/^task› *$/);
  await view.type('A task without a supervisor');
  await view.keys('Enter');
  await view.shows(/1 queued/);
  await world.comeUp();
  await view.lacks(/no supervisor is running/);
  await until('the task to be done', async () =>
    (await world.status()).workers.some(({ current_prompt }) => current_prompt?.includes('without a supervisor')),
  );
  await view.shows(/A task without/);
  await view.keys('C-c');
  await view.shows(/status 0/);
  const { lines } = await view.screen();
  expect(lines.slice(0, 2)).toEqual(['before', 'status 0']);
});

test('a question: a digit marks an answer, enter sends it; two views agree', async () => {
  const [view, other] = await Promise.all([openView(outside, world, 'one'), openView(outside, world, 'two', { width: 80, height: 24 })]);
  await view.shows(/eve/);
  await view.keys('n');
  await view.shows(/^task› *$/);
  await view.type('Go');
  await view.keys('Escape');
  await world.ok('start', '--worker', 'eve', 'Which one?');
  await view.shows(/1 asks/);
  await other.shows(/1 asks/);
  await view.keys('g');
  await view.keys('2');
  await view.shows(/▶ 2 Right/);
  await view.shows(/Which way\?/);
  // The view takes no answer from a person who cannot have read the question yet.
  const shownAt = Date.now();
  await until('the question to be read', async () => Date.now() - shownAt > 300);
  await view.keys('Enter');
  await view.lacks(/1 asks/);
  await other.lacks(/1 asks/);
  await Promise.all([view.keys('C-c'), other.keys('C-c')]);
  await Promise.all([view.shows(/status 0/), other.shows(/status 0/)]);
});

test('escape and the next key in one breath, and a command whose output covers the view', async () => {
  const view = await openView(outside, world, 'keys');
  await view.shows(/adam/);
  await view.keys('n');
  await view.shows(/^task› *$/);
  const text = 'the quick brown fox jumps over the lazy dog '.repeat(4).trim();
  for (const part of text.match(/.{1,8}/g) ?? []) await view.type(part);
  await view.shows(/lazy dog/);
  await view.keys('Escape', ':');
  await view.type('workflows list');
  await view.keys('Enter');
  await view.shows(/llmc workflows list/);
  await view.shows(/swarm/);
  await view.keys('Escape');
  await view.lacks(/llmc workflows list/);
  await view.keys('C-c');
  await view.shows(/status 0/);
});

test('the enter that ends a command on the lent terminal is not a key of the view', async () => {
  const view = await openView(outside, world, 'lent');
  await view.shows(/adam +(?:idle|done|to review|new work)/);
  await view.keys(':');
  await view.type('attach nobody');
  await view.keys('Enter');
  await view.shows(/ended with status \d+; press enter/);
  await view.keys('Enter');
  await view.shows(/enter attach/);
  // Attaching would say so when it ends, and would have taken the terminal.
  await view.keys('?');
  await view.shows(/keys, and the command that does the same/);
  await view.keys('q');
  await view.keys('Q');
  await view.shows(/status 0/);
});

test('leaving while work lands cancels the landing, as the question says', async () => {
  // What another test left there.
  await world.ok('reset', 'adam', '--yes');
  await world.ok('start', '--worker', 'adam', 'Write a novel', '--wait');
  world.set('repo', 'validate = ["while [ ! -e ../../../go ]; do sleep 0.1; done"]');
  const before = await subjects();
  const view = await openView(outside, world, 'leaving');
  await view.shows(/adam/);
  await view.keys('/');
  await view.type('novel');
  await view.shows(/filter› novel/);
  await view.keys('Enter');
  await view.shows(/\+- .*Write a novel/);
  await view.accept('adam');
  await view.shows(/adam: landing … {2}Validate/);
  // The worker is busy until the work has landed, and so is whatever would load its work again.
  await view.keys('Tab');
  await view.lacks(/\+- .*Write a novel/);
  await view.keys('BTab');
  await view.shows(/\+- .*Write a novel/);
  await view.keys('Q');
  await view.shows(/adam: landing is under way and would be canceled\. Leave\?/);
  await view.keys('y');
  await view.shows(/adam: landing was canceled/);
  await view.shows(/status 0/);
  await until('the work to wait for its review', async () => (await world.worker('adam')).attention_kind === 'review');
  expect(await subjects()).toEqual(before);
});
