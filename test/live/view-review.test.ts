import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Screen } from '../../src/terminal/screen.ts';
import { isAlive, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { type OpenView, openView } from '../support/view.ts';
import { llmcWorld, type World } from '../support/world.ts';

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;
const WORKERS = [...SIZES.map(([width]) => `w${width}`), 'both'];
// Each has a file of its own: their works must not conflict.
const FILES = { 'README.md': 'hello\n', ...Object.fromEntries(WORKERS.map((name) => [`src/${name}.txt`, text(LINES)])) };
const replace = (file: string, old: string, by: string) =>
  `      - edit: { path: src/${file}.txt, replace: { old: ${JSON.stringify(`${old}\n`)}, new: ${JSON.stringify(`${by}\n`)} } }\n`;
/** The first turn changes two lines, the turn after the rejection one of them again. */
const scenario = (name: string) =>
  `turns:\n  - steps:\n${replace(name, 'line 20', 'line twenty')}${replace(name, 'line 30', 'line thirty')}      - commit: Spell the numbers\n  - steps:\n${replace(name, 'line twenty', 'line TWENTY')}      - commit: Address the review\n`;
const SCENARIO = Object.fromEntries(WORKERS.map((name) => [name, scenario(name)]));

let world: World;
let outside: ScratchTmux;

beforeAll(async () => {
  world = await llmcWorld({ workers: WORKERS, source: { files: FILES }, scenario: SCENARIO });
  outside = await scratchTmux();
  await Promise.all(WORKERS.map(async (name) => void (await world.ok('start', '--worker', name, 'Spell them', '--wait'))));
});
afterAll(async () => {
  await outside?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

/** Kills the view in a pane, and nothing else. */
async function kill(view: OpenView, signal: NodeJS.Signals = 'SIGKILL', status = 137): Promise<void> {
  const pid = Number(readFileSync(`/proc/${view.pid}/task/${view.pid}/children`, 'utf8').trim().split(' ')[0]);
  process.kill(pid, signal);
  await until('the view to be gone', async () => !isAlive(pid));
  await view.shows(new RegExp(`status ${status}`));
}

async function leave(view: OpenView): Promise<void> {
  await view.keys('Q');
  await view.shows(/status 0/);
}

const drafts = (worker: string) => world.rows(z.object({ content: z.string() }), 'SELECT content FROM drafts WHERE worker = ?', worker);

test.each(SIZES)(
  'at %i×%i: comments survive leaving, kill -9 and a rebase; the work comes back, is searched and lands with an edited message',
  { timeout: 240_000 },
  async (width, height) => {
    const worker = `w${width}`;
    let opened = 0;
    const editor = join(world.dir, `editor-${worker}`);
    writeFileSync(editor, `#!/bin/sh\necho Shout for ${worker} > "$1"\n`);
    chmodSync(editor, 0o755);
    const open = async () => {
      opened += 1;
      const surroundings = { dir: world.dir, env: { ...world.env, EDITOR: editor } };
      const view = await openView(outside, surroundings, `${worker}-${opened}`, { width, height });
      await view.keys('/');
      await view.type(worker);
      await view.shows(new RegExp(`filter› ${worker}`));
      await view.keys('Enter');
      await view.shows(/line twenty/);
      return view;
    };
    const first = await open();
    await first.keys('Right');
    await first.keys('J');
    // A wide pane has the old line and the new one in the same row.
    for (let row = 0; row < (width < 200 ? 5 : 4); row += 1) await first.keys('j');
    await first.keys('c');
    await first.shows(/comment on src\/w\d+\.txt:20›/);
    await first.type('In capitals');
    await first.shows(/› In capitals/);
    await first.keys('Enter');
    await first.shows(/│ In capitals/);
    await leave(first);
    expect(await world.ok('review', worker, '--stat')).toContain('1 draft comment in the view, not sent');
    expect(await world.ok('status')).toContain('1 draft comment not sent');

    const second = await open();
    await second.shows(/│ In capitals/);
    await second.keys('Right');
    await second.keys('J');
    await second.keys('c');
    await second.shows(/comment on/);
    await second.type('Half a sen');
    await until('the half sentence to be stored', async () => drafts(worker).length === 2);
    // SIGHUP and SIGTERM store what was typed since the last second.
    await second.type('ten');
    await second.shows(/Half a senten/);
    await kill(second, 'SIGHUP', 129);
    expect(drafts(worker).some(({ content }) => content.includes('Half a senten"'))).toBe(true);
    const ended = await open();
    await ended.shows(/│ Half a senten/);
    await kill(ended, 'SIGTERM', 143);

    const killed = await open();
    await killed.shows(/│ Half a senten/);
    await kill(killed);

    // Main moves, and the lines of the work move with it.
    const readme = `${worker}\n${readFileSync(`${world.source}/src/${worker}.txt`, 'utf8')}`;
    world.write(`src/${worker}.txt`, readme);
    await world.git('commit', '-qam', `Above ${worker}`);
    await world.ok('review', worker);

    const third = await open();
    const line = 20 + readme.split('\n').indexOf('line 1');
    await third.waitFor('the comment below its line', ({ lines }) =>
      lines.some((each, at) => new RegExp(` ${line} +\\+line twenty`).test(each) && /│ In capitals/.test(lines[at + 1] ?? '')),
    );
    await third.shows(/│ Half a sen/);
    await third.shows(/2 comments/);
    await third.keys('Right');
    // The view sends no comments of a person who cannot have read the work yet.
    const shownAt = Date.now();
    await until('the work to be read', async () => Date.now() - shownAt > 300);
    await third.keys('r');
    await third.shows(/words beside 2 comments to/);
    await third.type('Louder in general');
    await third.shows(/› Louder in general/);
    await third.keys('Enter');
    await third.shows(new RegExp(`${worker} has the feedback`));
    expect(drafts(worker)).toEqual([]);
    await leave(third);
    const said = await world.ok('logs', worker, '--conversation');
    for (const words of [/Louder in general/g, /In capitals/g, /Half a senten/g]) expect(said.match(words)).toHaveLength(1);

    // The worker comes back: what changed since then, with the remarks, and nothing of what main gained.
    await world.ok('wait', worker, '--for', 'needs_review');
    const fourth = await open();
    await fourth.shows(/since your last review \(t: all\)/);
    await fourth.shows(/-line twenty/);
    await fourth.shows(/│ You said:/);
    await fourth.lacks(/line thirty/);
    await fourth.keys('Right');
    await fourth.keys('t');
    await fourth.shows(/all of it \(t: since your last review\)/);
    await fourth.keys('z');
    await fourth.shows(/zoomed · /);
    await fourth.shows(/\+line TWENTY/);
    await fourth.lacks(/NEEDS YOU/);
    await fourth.keys('/');
    await fourth.shows(/^search here›/);
    await fourth.type('line 2');
    await fourth.shows(/› line 2/);
    await fourth.keys('Enter');
    await fourth.shows(/\/line 2 1\/\d/);
    await fourth.keys('n');
    await fourth.shows(/\/line 2 2\/\d/);
    for (const gone of [/\/line 2 2/, /zoomed/]) {
      await fourth.keys('Escape');
      await fourth.lacks(gone);
    }
    await fourth.keys('e');
    await fourth.shows(new RegExp(`Your message: Shout for ${worker}`));
    // The view loads the work again with its new message, and asks for another key if that was not on the screen yet.
    const landed = new RegExp(`${worker}: landed [0-9a-f]{12} on main: Shout for ${worker}`);
    let last: Screen | undefined;
    while (last?.lines.some((row) => landed.test(row)) !== true) {
      await fourth.keys('a');
      last = await fourth.waitFor('an outcome', ({ lines }) => lines.some((row) => landed.test(row) || row.includes('press a again')));
    }
    await leave(fourth);
    expect(await world.git('log', '-1', '--format=%B', 'main')).toBe(`Shout for ${worker}`);
  },
);

test('two views keep both their comments, also without a supervisor, and llmc reject --drafts sends them', {
  timeout: 240_000,
}, async () => {
  const open = async (name: string, size: { width: number; height: number }) => {
    const view = await openView(outside, world, name, size);
    await view.keys('/');
    await view.type('both');
    await view.shows(/filter› both/);
    await view.keys('Enter');
    await view.shows(/line twenty/);
    await view.keys('Right');
    await view.keys('J');
    return view;
  };
  const comment = async (view: OpenView, words: string, moves: number) => {
    for (let move = 0; move < moves; move += 1) await view.keys('j');
    await view.keys('c');
    await view.shows(/comment on src\/both\.txt:\d+›/);
    await view.type(words);
    await view.shows(new RegExp(`› ${words}`));
    await view.keys('Enter');
    await view.shows(new RegExp(`│ ${words}`));
  };
  const [one, other] = await Promise.all([open('one', { width: 120, height: 40 }), open('other', { width: 80, height: 24 })]);
  await comment(one, 'From one', 5);
  // On another line: c on a line with a comment edits that one.
  await other.shows(/│ From one/);
  await comment(other, 'From the other', 8);
  await until('both to be stored', async () => drafts('both').length === 2);
  await one.shows(/│ From the other/);
  await Promise.all([leave(one), leave(other)]);

  await world.killSupervisor();
  const alone = await open('alone', { width: 80, height: 24 });
  await alone.shows(/2 comments/);
  await comment(alone, 'From nobody', 2);
  await leave(alone);
  expect(drafts('both')).toHaveLength(3);
  await world.comeUp();

  expect(await world.ok('reject', '--worker', 'both', 'Almost')).toContain('3 draft comments in the view stayed there');
  await world.ok('wait', 'both', '--for', 'needs_review');
  expect(drafts('both')).toHaveLength(3);
  await world.ok('reject', '--worker', 'both', '--drafts');
  expect(drafts('both')).toEqual([]);
  const said = await world.ok('logs', 'both', '--conversation');
  for (const words of ['From one', 'From the other', 'From nobody']) expect(said.split(words)).toHaveLength(2);
  await world.ok('wait', 'both', '--for', 'needs_review,needs_input');
});

test('llmc review after a reject shows what changed since, and with --whole all of it', { timeout: 240_000 }, async () => {
  await world.ok('add', 'late');
  await world.ok('start', '--worker', 'late', 'Write a poem', '--wait');
  await world.ok('review', 'late');
  await world.ok('reject', '--worker', 'late', 'Longer, please');
  await world.ok('wait', 'late', '--for', 'needs_review');
  const since = await world.ok('review', 'late');
  expect(since).toContain('This is what changed since your last review; all of it: llmc review late --whole\n  You said: Longer, please\n');
  const whole = await world.ok('review', 'late', '--whole');
  expect(whole).not.toContain('since your last review');
  const added = (text: string) => text.split('\n').filter((line) => /^\+(?!\+)/.test(line)).length;
  expect(added(whole)).toBeGreaterThan(added(since));
});
