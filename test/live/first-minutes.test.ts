import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Pane, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { COMMAND } from '../support/view.ts';
import { llmcWorld, type World } from '../support/world.ts';

interface Person extends Pane, AsyncDisposable {
  readonly shop: string;
  /** Types a line, and sends it. */
  line(text: string): Promise<void>;
  command(words: string): Promise<void>;
  shows(pattern: RegExp): Promise<void>;
}

/** A person in a shell, with llmc on PATH and no agent of any vendor installed, and a repository that llmc has never seen. */
async function person(world: World, outside: ScratchTmux, size = { width: 80, height: 24 }): Promise<Person> {
  const shop = join(world.home, 'shop');
  mkdirSync(shop);
  await world.gitIn(shop, 'init', '--quiet', '--initial-branch=main');
  await world.gitIn(shop, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  const bin = join(world.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'llmc'), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`, { mode: 0o755 });
  const { LLMC_ROOT: _, PATH = '', ...env } = world.env;
  const free = PATH.split(delimiter).filter((folder) => !['claude', 'codex'].some((name) => existsSync(join(folder, name))));
  const pane = await outside.start({
    name: 'person',
    argv: ['sh'],
    cwd: world.home,
    env: { ...env, PATH: [bin, ...free].join(delimiter), PS1: 'prompt> ' },
    ...size,
  });
  const shows = async (pattern: RegExp) =>
    void (await pane.waitFor(String(pattern), ({ lines }) => lines.some((line) => pattern.test(line))));
  const line = async (text: string) => {
    await pane.type(text);
    await pane.keys('Enter');
  };
  /** In the view: its field is open before the words come. */
  const command = async (words: string) => {
    await pane.keys(':');
    await shows(/^: llmc›/);
    await line(words);
  };
  await shows(/prompt>/);
  const down = async () => void (await world.run(['down', '--force'], { cwd: shop, env: { LLMC_ROOT: undefined } }));
  return { ...pane, shop, shows, line, command, [Symbol.asyncDispose]: down };
}

const rootsIn = (world: World) => readdirSync(world.home).filter((name) => /^\.?llmc/.test(name));

test.each([
  [80, 24],
  [120, 40],
])('from a repository without a root to the first landed commit, as a new user types it, at %i×%i', async (width, height) => {
  await using world = await llmcWorld({ stage: 'source' });
  await using outside = await scratchTmux();
  await using typed = await person(world, outside, { width, height });
  await typed.line('cd shop');
  await typed.line('llmc');
  await typed.shows(/Set up llmc for shop with the built-in demo agent/);
  await typed.shows(/\[Y\/n\]/);
  await typed.line('what?');
  await typed.waitFor('the question again', ({ lines }) => lines.filter((line) => /\[Y\/n\]/.test(line)).length === 2);
  await typed.line('Y');
  await typed.shows(/^no workers yet/);
  await typed.command('add adam');
  await typed.shows(/Added adam/);
  await typed.keys('Escape');
  await typed.shows(/adam +idle/);
  await typed.keys('n');
  await typed.shows(/^task›/);
  await typed.line('Note that prices are net');
  await typed.shows(/adam +new work/);
  // The first key shows the work: nothing lands that was not on the screen.
  await typed.keys('a');
  await typed.shows(/\+- .*Note that prices are net/);
  await typed.keys('Z');
  await typed.shows(/adam +to review/);
  await typed.keys('a');
  await typed.shows(/adam: landed [0-9a-f]{12} on main/);
  expect(await world.gitIn(typed.shop, 'log', '--format=%s', 'main')).toBe('Note that prices are net\nBegin');
  await typed.keys('Q');
  await typed.shows(/prompt>/);
  await typed.line('llmc');
  await typed.shows(/adam +idle/);
});

test.each([
  [80, 24],
  [120, 40],
  [200, 50],
])('a new user who thinks in tasks names no worker: from llmc to the landed commit in eight keys, at %i×%i', async (width, height) => {
  await using world = await llmcWorld({ stage: 'source' });
  await using outside = await scratchTmux();
  await using typed = await person(world, outside, { width, height });
  let pressed = 0;
  const press = async (key: string, shows: RegExp) => {
    pressed += 1;
    await typed.keys(key);
    await typed.shows(shows);
  };
  await typed.line('cd shop');
  await typed.type('llmc');
  await press('Enter', /\[Y\/n\]/);
  await press('Enter', /^no workers yet +n gives a task/);
  await press('n', /^task›/);
  await typed.type('Note that prices are net');
  await press('Enter', /No worker is idle\. Add one \(bea, demo\)\? \[Y\/n\/q\]/);
  await press('y', /bea +new work/);
  await press('a', /\+- .*Note that prices are net/);
  // A key without a meaning: the view counts nothing as seen by a person who has pressed none for 30 s, and a slow machine takes that long.
  await typed.keys('Z');
  await typed.shows(/bea +to review/);
  await press('a', /bea: landed [0-9a-f]{12} on main/);
  expect(await world.gitIn(typed.shop, 'log', '--format=%s', 'main')).toBe('Note that prices are net\nBegin');
  await press('Q', /prompt>/);
  expect(pressed, 'keystrokes beside the words, from llmc to the landed commit and out again').toBe(8);
});

test.each(['claude', 'codex'])('the offer names %s where it is installed, and the root is for it', async (agent) => {
  await using world = await llmcWorld({ stage: 'source' });
  await using outside = await scratchTmux();
  await using typed = await person(world, outside);
  // It answers when it is asked for its version, and is never started: no worker is added.
  writeFileSync(join(world.home, 'bin', agent), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 });
  await typed.line('cd shop');
  await typed.line('llmc');
  await typed.shows(new RegExp(`Set up llmc for shop with ${agent}\\? \\[Y/n\\]`));
  await typed.line('');
  await typed.shows(/^no workers yet/);
  expect(readFileSync(join(world.home, 'llmc', 'config.toml'), 'utf8')).toContain(`agent = "${agent}"`);
  await typed.keys('Q');
  await typed.shows(/prompt>/);
});

test('no, Ctrl+C and Ctrl+D at the offer create nothing, and without a terminal llmc names the command', async () => {
  await using world = await llmcWorld({ stage: 'source' });
  await using outside = await scratchTmux();
  await using typed = await person(world, outside);
  await typed.line('cd shop');
  for (const answer of ['n', 'C-c', 'C-d']) {
    await typed.line('clear');
    await typed.waitFor('the last question to go', ({ lines }) => !lines.some((line) => /\[Y\/n\]/.test(line)));
    await typed.line('llmc');
    await typed.shows(/\[Y\/n\] *$/);
    if (answer === 'n') await typed.line('n');
    else await typed.keys(answer);
    await typed.shows(/CANCELLED: nothing was created for shop/);
    await typed.shows(/→ llmc init/);
  }
  await typed.line('clear; llmc < /dev/null');
  await typed.shows(/ROOT_NOT_FOUND: the repository shop has no llmc root yet/);
  expect(rootsIn(world)).toEqual([]);
  await typed.line('cd ..; clear; llmc');
  await typed.shows(/No roots yet/);
  // A repository without a commit is refused before the question.
  await typed.line('git init --quiet empty; cd empty; clear; llmc');
  await typed.shows(/has no commit yet/);
});

test('after a kill -9 of init the offer comes again and works, and so it does after the root was deleted', async () => {
  await using world = await llmcWorld({ stage: 'source' });
  await using outside = await scratchTmux();
  await using typed = await person(world, outside);
  const marked = join(world.home, 'cloning');
  writeFileSync(
    join(world.home, 'bin', 'git'),
    `#!/bin/sh\ncase "$*" in *clone*) touch ${marked}; until [ -e ${marked}.over ]; do sleep 0.1; done; exit 1 ;; esac\nexec /usr/bin/git "$@"\n`,
    {
      mode: 0o755,
    },
  );
  await typed.line('cd shop');
  await typed.line('llmc init --agent demo & echo $! > ../pid');
  await until('init to clone', async () => existsSync(marked));
  await typed.line('kill -9 $(cat ../pid)');
  writeFileSync(`${marked}.over`, '');
  rmSync(join(world.home, 'bin', 'git'));
  expect(existsSync(join(world.home, 'llmc'))).toBe(false);
  await typed.line('clear; llmc');
  await typed.shows(/\[Y\/n\] *$/);
  await typed.keys('Enter');
  await typed.shows(/^no workers yet/);
  await typed.keys('Q');
  await typed.shows(/prompt>/);
  await typed.line('llmc down --force; rm -rf ../llmc; clear; llmc roots');
  await typed.shows(/shop .*gone/);
  await typed.line('clear; llmc');
  await typed.shows(/\[Y\/n\] *$/);
  await typed.line('y');
  await typed.shows(/^no workers yet/);
});
