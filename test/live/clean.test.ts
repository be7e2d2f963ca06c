import { createHash } from 'node:crypto';
import { existsSync, globSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runReaches, untilOf } from '../support/run-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const planSchema = z.object({
  dry_run: z.literal(true),
  runs: z.array(z.object({ run: z.string(), status: z.string(), bytes: z.number() })),
  worktrees: z.array(z.object({ worker: z.string(), run: z.string().nullable(), bytes: z.number() })),
  kept: z.array(z.object({ name: z.string(), reason: z.object({ kind: z.string() }) })),
  bytes: z.number(),
});
const cleanedSchema = z.object({
  dry_run: z.literal(false),
  archived: z.array(z.object({ run: z.string(), folder: z.string() })),
  removed: z.array(z.object({ worker: z.string(), rescued: z.string().nullable() })),
  kept: z.array(z.unknown()),
});
const archivedSchema = z.object({ archived: z.array(z.object({ run: z.string(), status: z.string(), folder: z.string() })) });

let world: World;
beforeAll(async () => {
  world = await llmcWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

/** A run without agents, unless `work` is a stage that has one. */
async function run(name: string, stages = '[{ id: lines, command: "true" }]', roles = '{}'): Promise<string> {
  const file = join(world.dir, `${name}.yaml`);
  writeFileSync(file, `name: ${name}\nroles: ${roles}\nstages: ${stages}\n`);
  const { id } = await world.json(z.object({ id: z.string() }), 'run', file, '--detach');
  return id;
}

async function settled(id: string): Promise<void> {
  const open = () => world.rows(z.object({ state: z.string() }), "SELECT state FROM run_tasks WHERE run = ? AND state <> 'done'", id);
  await until(`${id} to be settled`, async () => open().length === 0, 120_000);
}

async function ended(name: string): Promise<string> {
  const id = await run(name);
  await runReaches(world, id, 'done');
  await settled(id);
  return id;
}

/** Every file of the root, by its kind, its mode and its content. */
const root = (): Readonly<Record<string, string>> => {
  const paths = globSync('**', { cwd: world.root }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const found = lstatSync(join(world.root, path));
      const content = found.isFile() ? readFileSync(join(world.root, path)) : '';
      return [path, `${found.mode} ${createHash('sha256').update(content).digest('hex')}`];
    }),
  );
};

test('a run that ended goes to the archive with everything it left, and comes back from there', async () => {
  const id = await ended('old');
  const outside = join(world.dir, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(world.root, 'runs', id, 'link'));
  await world.ok('down');

  const before = root();
  expect(await world.json(planSchema, 'clean', '--dry-run')).toEqual({ dry_run: true, runs: [], worktrees: [], kept: [], bytes: 0 });
  const plan = await world.json(planSchema, 'clean', '--older-than', '0s', '--dry-run');
  expect(plan).toMatchObject({ runs: [{ run: id, status: 'done', bytes: plan.bytes }], worktrees: [], kept: [] });
  expect(await world.ok('clean', '--older-than', '0s', '--dry-run')).toContain('Nothing was changed.');
  const refused = await world.refused(['clean', '--older-than', '0s']);
  expect(refused).toMatchObject({ status: 2, code: 'INVALID_ARGUMENT', hint: 'llmc clean --older-than 0s --dry-run' });
  expect(root()).toEqual(before);

  // Two at once: each run is archived by one of them.
  const both = await Promise.all([1, 2].map(() => world.json(cleanedSchema, 'clean', '--older-than', '0s', '--yes')));
  expect(both.flatMap(({ archived }) => archived.map((each) => each.run))).toEqual([id]);
  const folder = join(world.root, 'runs/archive', id);
  expect(readlinkSync(join(folder, 'link'))).toBe(outside);
  expect(await world.json(archivedSchema, 'runs', '--archived')).toEqual({ archived: [expect.objectContaining({ run: id, folder })] });
  for (const verb of ['show', 'why', 'report', 'logs'])
    expect(await world.refused([verb, id]), verb).toMatchObject({ code: 'RUN_NOT_FOUND', hint: `less ${join(folder, 'log.yaml')}` });

  await world.comeUp();
  expect(await ended('old')).toBe('old-2');
  await world.ok('down');
  renameSync(folder, join(world.root, 'runs', id));
  await world.comeUp();
  expect(JSON.parse(await world.ok('show', id, '--json'))).toMatchObject({ id, status: 'done' });
});

test('a run that goes on is never touched; workers of one that was aborted go with their work saved, and so do worktrees without a worker', async () => {
  const work = '[{ id: work, role: dev, prompt: "Add a line." }, { id: look, review: work, by: person }]';
  const [living, aborted] = [await run('living', work, '{ dev: {} }'), await run('halted', work, '{ dev: {} }')];
  for (const id of [living, aborted]) await untilOf(world, id, 'to ask', async () => (await world.ok('runs')).includes(`${id}  waits`));
  await world.ok('abort', aborted, '--yes');
  await settled(aborted);
  writeFileSync(join(world.worktree(`${aborted}-dev`), 'draft.txt'), 'half a thought\n');
  await world.ok('add', 'forgotten');
  writeFileSync(join(world.worktree('forgotten'), 'note.txt'), 'keep me\n');
  await world.ok('down');
  // As after a kill between a worktree and the record of its worker.
  const state = join(world.root, 'state.json');
  const { workers, ...rest } = JSON.parse(readFileSync(state, 'utf8'));
  const { forgotten: _, ...others } = workers;
  for (const path of [state, `${state}.bak`])
    writeFileSync(path, JSON.stringify({ ...rest, revision: rest.revision + 1, workers: others }));
  const config = join(world.root, 'config.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/\[workers\.forgotten\]\n?/, ''));

  const plan = await world.json(planSchema, 'clean', '--older-than', '0s', '--dry-run');
  expect(plan.worktrees.map(({ worker, run: of }) => [worker, of]).toSorted()).toEqual([
    ['forgotten', null],
    [`${aborted}-dev`, aborted],
  ]);
  const { archived, removed, kept } = await world.json(cleanedSchema, 'clean', '--older-than', '0s', '--yes');
  expect(archived.map((each) => each.run)).toContain(aborted);
  expect(kept).toEqual([]);
  for (const { worker, rescued } of removed) {
    expect(existsSync(world.worktree(worker))).toBe(false);
    expect(await world.ok('rescue', 'show', rescued ?? '')).toContain(worker === 'forgotten' ? 'keep me' : 'half a thought');
  }
  expect(removed).toHaveLength(2);
  await world.comeUp();
  expect(await world.ok('show', living)).toContain('waits for you');
  expect(existsSync(world.worktree(`${living}-dev`))).toBe(true);
});
