import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llmcWorld, type World } from '../support/world.ts';

/** A repository of the user besides the one of the world. */
async function repository(world: World, name: string): Promise<string> {
  const path = join(world.home, name);
  mkdirSync(join(path, 'src'), { recursive: true });
  await world.gitIn(path, 'init', '--quiet', '--initial-branch=main');
  await world.gitIn(path, 'commit', '--quiet', '--allow-empty', '-m', `Begin ${name}`);
  return path;
}

/** llmc in a folder, with nothing that names a root. */
const at = (world: World, cwd: string, ...args: string[]) => world.run(args, { cwd, env: { LLMC_ROOT: undefined } });

async function okAt(world: World, cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = await at(world, cwd, ...args, '--json');
  expect(status, `llmc ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return JSON.parse(stdout);
}

test('init makes a root for each repository, and every command finds the one of the repository it is typed in', async () => {
  await using world = await llmcWorld({ stage: 'source' });
  const [shop, blog, odd] = [await repository(world, 'shop'), await repository(world, 'blog'), await repository(world, 'my shöp ✓')];
  const first = await okAt(world, shop, 'init', '--agent', 'demo');
  const second = await okAt(world, join(blog, 'src'), 'init', '--agent', 'demo');
  const third = await okAt(world, odd, 'init', '--agent', 'demo');
  expect([first, second, third]).toMatchObject([
    { root: join(world.home, 'llmc'), source: shop, existing: false },
    { root: join(world.home, 'llmc-blog'), source: blog, existing: false },
    { root: join(world.home, 'llmc-my-shöp'), source: odd, existing: false },
  ]);
  // Again: it says where the root is, and changes nothing.
  expect(await okAt(world, blog, 'init')).toMatchObject({ root: second.root, source: blog, agent: 'demo', existing: true });
  expect((await at(world, blog, 'init')).stdout).toContain(`Already set up: ${second.root} for ${blog} (branch main, agent demo)`);

  const worktree = join(world.home, 'blog-worktree');
  await world.gitIn(blog, 'worktree', 'add', '--quiet', '--detach', worktree);
  await okAt(world, blog, 'add', 'adam');
  const inside = join(second.root, '.worktrees', 'adam');
  for (const folder of [blog, join(blog, 'src'), worktree, inside, second.root])
    expect((await okAt(world, folder, 'status')).root, folder).toBe(second.root);
  // Outside any repository, the first root is the default.
  for (const folder of [shop, join(shop, 'src'), world.dir]) expect((await okAt(world, folder, 'status')).root, folder).toBe(first.root);

  // An agent can let the .git of its worktree lead to another repository, and write what looks like a root: the place counts.
  writeFileSync(join(inside, '.git'), `gitdir: ${join(shop, '.git')}\n`);
  for (const name of ['config.toml', 'state.json']) writeFileSync(join(inside, name), '');
  expect((await okAt(world, inside, 'status')).root).toBe(second.root);
});

test('a repository without a root is told apart from a root that is gone, and its root is never that of another', async () => {
  await using world = await llmcWorld({ stage: 'source' });
  const [shop, blog] = [await repository(world, 'shop'), await repository(world, 'blog')];
  await okAt(world, shop, 'init', '--agent', 'demo');
  const refused = await at(world, blog, 'start', '--prompt', 'For the blog');
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('ROOT_NOT_FOUND: the repository blog has no llmc root yet') });
  expect(refused.stderr).toContain('→ llmc init');

  const empty = join(world.home, 'empty');
  mkdirSync(empty);
  await world.gitIn(empty, 'init', '--quiet');
  expect((await at(world, empty, 'init')).stderr).toContain('has no commit yet');
  expect((await at(world, world.dir, 'init')).stderr).toContain('is not a git repository');
  expect(readdirSync(world.home).filter((name) => /^\.?llmc/.test(name))).toEqual(['llmc']);

  const bare = join(world.home, 'mirror.git');
  await world.gitIn(world.home, 'clone', '--quiet', '--bare', shop, bare);
  expect(await okAt(world, bare, 'init', '--agent', 'demo')).toMatchObject({ root: join(world.home, 'llmc-mirror'), source: bare });
  await world.gitIn(blog, 'checkout', '--quiet', '--detach');
  expect(await okAt(world, blog, 'init', '--agent', 'demo')).toMatchObject({ root: join(world.home, 'llmc-blog'), branch: 'main' });
});

test('of several inits at the same time, one makes the root of a repository and the others report it', async () => {
  await using world = await llmcWorld({ stage: 'source' });
  const [shop, blog] = [await repository(world, 'shop'), await repository(world, 'blog')];
  const all = await Promise.all([shop, shop, shop, blog, blog].map((folder) => okAt(world, folder, 'init', '--agent', 'demo')));
  for (const source of [shop, blog]) {
    const own = all.filter((each) => each.source === source);
    expect(new Set(own.map(({ root }) => root)).size).toBe(1);
    expect(own.filter(({ existing }) => !existing)).toHaveLength(1);
  }
  expect((await okAt(world, shop, 'roots')).roots).toHaveLength(2);
  expect(readdirSync(world.home).filter((name) => name.startsWith('.llmc'))).toEqual([]);
});

test('roots lists each root with its state, marks those that are gone, and starts no supervisor', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const [shop, blog] = [await repository(world, 'shop'), await repository(world, 'blog')];
  await okAt(world, shop, 'init', '--agent', 'demo');
  const { root: gone } = await okAt(world, blog, 'init', '--agent', 'demo');
  await world.ok('start', '--prompt', 'Write a poem', '--wait', '--timeout', '90s');
  rmSync(gone, { recursive: true });
  const records = join(world.home, '.local', 'state', 'llmc', 'roots');
  writeFileSync(join(records, '0123456789abcdef'), 'garbage');

  const { roots } = await okAt(world, shop, 'roots');
  expect(roots).toEqual([
    expect.objectContaining({
      name: 'shop',
      root: join(world.home, 'llmc'),
      here: true,
      state: 'down',
      workers: 0,
      needs_you: 0,
      problem: null,
    }),
    expect.objectContaining({ name: 'blog', root: gone, here: false, state: 'gone' }),
    expect.objectContaining({ root: world.root, source: world.source, here: false, state: 'up', workers: 1, needs_you: 1 }),
  ]);
  const { stdout } = await at(world, shop, 'roots');
  expect(stdout).toMatch(/^\* +shop +.*\bdown, 0 workers/m);
  expect(stdout).toMatch(/up, 1 worker +1 needs you/);
  expect(stdout).toContain(`llmc roots --forget ${gone}`);
  expect(existsSync(join(world.home, 'llmc', 'run', 'api.sock'))).toBe(false);

  // The repository of the root that is gone can have a new one; a repository that has moved is reported.
  expect((await at(world, blog, 'status')).stderr).toContain('the repository blog has no llmc root yet');
  expect((await at(world, shop, 'roots', '--forget', gone)).stdout).toContain('is no longer in the list');
  expect(await at(world, shop, 'roots', '--forget', gone)).toMatchObject({ status: 2, stderr: expect.stringContaining('ROOT_NOT_FOUND') });
  renameSync(shop, join(world.home, 'moved'));
  const { roots: after } = await okAt(world, world.dir, 'roots');
  expect(after).toHaveLength(2);
  expect(after[0]).toMatchObject({ name: 'shop', problem: `its repository ${shop} is gone` });
});

test('an agent does not find other roots', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  const shop = await repository(world, 'shop');
  await okAt(world, shop, 'init', '--agent', 'demo');
  const inWorker = { cwd: shop, env: { LLMC_WORKER: 'adam' } };
  const { stdout } = await world.run(['roots', '--json'], inWorker);
  expect(JSON.parse(stdout).roots).toMatchObject([{ root: world.root }]);
  expect(JSON.parse((await world.run(['status', '--json'], inWorker)).stdout).root).toBe(world.root);
  // A root that it makes is not found by the commands of a person.
  const trap = join(world.worktree('adam'), 'trap');
  const blog = await repository(world, 'blog');
  await world.run(['init', '--source', blog, '--target', trap, '--agent', 'demo'], inWorker);
  expect((await at(world, blog, 'status')).stderr).toContain('the repository blog has no llmc root yet');
});
