import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trySignal } from '../../src/system/processes/signal.ts';
import { type ScratchTmux, scratchTmux } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { llmcWorld, type World } from '../support/world.ts';

let world: World;
let outside: ScratchTmux;
/** The second repository and its root. The first are those of the world. */
let blog: string;
let blogRoot: string;

beforeAll(async () => {
  world = await llmcWorld({ workers: ['adam'] });
  outside = await scratchTmux();
  [blog, blogRoot] = [join(world.home, 'blog'), join(world.home, 'llmc-blog')];
  mkdirSync(blog);
  await world.gitIn(blog, 'init', '--quiet', '--initial-branch=main');
  await world.gitIn(blog, 'commit', '--quiet', '--allow-empty', '-m', 'Begin blog');
  await inBlog('init', '--agent', 'demo', '--target', blogRoot);
  await inBlog('add', 'adam');
  await inBlog('up', '--detach');
});
afterAll(async () => {
  if (blogRoot !== undefined) await world.run(['down', '--force'], { env: { LLMC_ROOT: blogRoot } });
  await outside?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

async function inBlog(...args: string[]): Promise<void> {
  const { status, stdout, stderr } = await world.run(args, { cwd: blog, env: { LLMC_ROOT: blogRoot } });
  expect(status, `llmc ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
}

/** llmc as a person types it in a folder, with nothing that names a root. */
function opened(dir: string, name: string, size?: { readonly width: number; readonly height: number }) {
  const { LLMC_ROOT: _, ...env } = world.env;
  return openView(outside, { dir, env }, name, size);
}

const subjects = async (repository: string) => await world.gitIn(repository, 'log', '--format=%s', 'main');
const supervisorOf = (root: string): number => JSON.parse(readFileSync(join(root, 'run', 'owner.json'), 'utf8')).pid;

test.each([
  [80, 24],
  [120, 40],
  [200, 50],
])('R shows another repository and A all of them, at %i×%i', async (width, height) => {
  const view = await opened(blog, `switch-${width}`, { width, height });
  await view.shows(/^llmc .*llmc-blog → /);
  await view.shows(/adam +idle/);
  await view.keys('n');
  await view.shows(/^task› *$/);
  await view.type('For the blog');
  await view.keys('Escape');
  await view.keys('R');
  await view.shows(/^ 2 repositories/);
  await view.shows(/^ source +up, 1 worker/);
  await view.shows(/^▌blog +up, 1 worker/);
  // The marked one is the one that is shown.
  await view.keys('j', 'Enter');
  await view.shows(/^llmc .*root → /);
  await view.lacks(/For the blog/);
  await view.keys('A');
  await view.shows(/^llmc 2 repositories: blog, source +all up/);
  await view.shows(/^blog( |$)/);
  await view.shows(/^source› n: a task/);
  await view.keys('k');
  await view.shows(/^blog› For the blog/);
  await view.shows(/blog: adam/);
  await view.keys('A');
  await view.shows(/^llmc .*llmc-blog → /);
  await view.keys('Q');
  await view.shows(/^status 0/);
});

test('workers of the same name in two repositories: two accepts of one key each, the second while its supervisor is dead', async () => {
  await world.ok('start', '--worker', 'adam', 'Write a poem', '--wait');
  await inBlog('start', '--worker', 'adam', 'Write a song', '--wait');
  // Outside any repository, without ~/llmc.
  const view = await opened(world.dir, 'both');
  await view.shows(/^llmc 2 repositories: .* all up/);
  await view.shows(/2 to review/);
  let pressed = 0;
  const press = async (key: string) => {
    pressed += 1;
    await view.keys(key);
  };
  await view.shows(/\+- .*Write a poem/);
  await view.shows(/source: adam/);
  const pid = supervisorOf(blogRoot);
  trySignal(pid, 'SIGKILL');
  await view.shows(/no supervisor: blog/);
  await view.keys('Z');
  await view.shows(/adam +source to review/);
  await press('a');
  await view.shows(/source: adam: landed [0-9a-f]{12} on main: Write a poem/);
  // The view goes on to what needs the person next, in the other repository.
  await view.shows(/\+- .*Write a song/);
  await view.keys('Z');
  await view.shows(/adam +blog to review/);
  await press('a');
  await view.shows(/blog: adam: landed [0-9a-f]{12} on main: Write a song/);
  expect(pressed, 'keystrokes for two accepts in two repositories').toBe(2);
  expect([await subjects(world.source), await subjects(blog)]).toEqual([
    expect.stringMatching(/^Write a poem\n/),
    'Write a song\nBegin blog',
  ]);
  await view.keys('u');
  await view.shows(/blog: Take .*"Write a song", the last accept of adam, back from main\? \[y\/N\]/);
  await view.keys('y');
  await view.shows(/blog: .*"Write a song" was taken back from main/);
  expect(await subjects(blog)).toBe('Begin blog');

  // R starts the supervisor that is not running, and the view goes on with it by itself.
  await view.keys('R');
  await view.shows(/^ blog +1 needs you +down, 1 worker +s starts its supervisor/);
  await view.keys('j', 'j');
  await view.shows(/^▌blog/);
  await view.keys('s');
  await view.shows(/blog: Supervisor \d+ runs/);
  expect(supervisorOf(blogRoot)).not.toBe(pid);
  await view.keys('Escape');
  await view.shows(/all up/);
  await view.keys(':');
  await view.type('status');
  await view.keys('Enter');
  await view.shows(/^ blog: llmc status/);
  await view.keys('Escape', 'Q');
  await view.shows(/^status 0/);
});

test('a root that is removed leaves the view, and the other goes on', async () => {
  const view = await opened(world.dir, 'removed');
  await view.shows(/^llmc 2 repositories/);
  await inBlog('down', '--force');
  await view.shows(/no supervisor: blog/);
  rmSync(blogRoot, { recursive: true, force: true });
  await view.shows(/The root of blog is gone/);
  await view.shows(/^llmc .*root → /);
  await view.keys('Q');
  await view.shows(/^status 0/);
});
