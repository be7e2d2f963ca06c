import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runReaches, untilOf } from '../support/run-side.ts';
import type { World } from '../support/world.ts';
import { Swarm, swarmWorld } from './swarm-world.ts';

const itemSchema = z.object({ key: z.string(), state: z.string(), marks: z.array(z.string()) });
const viewSchema = z.object({
  status: z.string(),
  stages: z.array(z.object({ id: z.string(), state: z.string(), items: z.array(itemSchema).nullable() })),
});

const SECTIONS = ['s1', 's2', 's3', 's4'].map((id) => ({ id, title: `Section ${id}`, ...(id === 's4' && { after: ['s1'] }) }));

/** Sections that are written and checked two at a time, then joined. */
const workflow = (name: string) => `name: ${name}
inputs: { list: { type: file } }
roles: { writer: {}, reviewer: {}, lead: {} }
stages:
  - id: sections
    for_each: { of: inputs.list.sections, key: id, after: after, max_parallel: 2 }
    require: { done: { min: 4 } }
    stages:
      - { id: write, role: writer, output: section.md, prompt: "Write {{item.title}}." }
      - { id: check, review: write, by: reviewer }
  - { id: draft, role: lead, output: draft.md, prompt: "Join {{sections.done}} sections." }
`;

let world: World;
beforeAll(async () => {
  world = await swarmWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function start(name: string): Promise<void> {
  writeFileSync(join(world.root, 'workflows', `${name}.yaml`), workflow(name));
  const list = join(world.dir, `${name}.json`);
  writeFileSync(list, JSON.stringify({ sections: SECTIONS }));
  await world.ok('run', name, '--input', `list=${list}`, '--detach');
}

const show = async (run: string) => await world.json(viewSchema, 'show', run);
const itemsOf = async (run: string) => (await show(run)).stages.flatMap(({ items }) => items ?? []);

/** The sections that were written, by the names of their files: one each. */
const written = (run: string) =>
  globSync('artifacts/write/*-section.md', { cwd: join(world.root, 'runs', run) })
    .map((path) => /write\/(s\d)-/.exec(path)?.[1] ?? path)
    .toSorted();

test('items go through their stages two at a time, and each is written once', async () => {
  await start('items');
  await runReaches(world, 'items-1', 'done');
  const { stages } = await show('items-1');
  expect(stages.map(({ id, state }) => `${id} ${state}`)).toEqual(['sections done', 'draft done']);
  expect(await itemsOf('items-1')).toEqual(SECTIONS.map(({ id }) => ({ key: id, state: 'done', marks: [] })));
  expect(written('items-1')).toEqual(['s1', 's2', 's3', 's4']);
  const turns = new Swarm(world, 'items').turns();
  expect(Object.keys(turns).filter((role) => role.startsWith('writer')).length).toBeLessThanOrEqual(2);
  expect(Object.entries(turns).reduce((sum, [role, count]) => sum + (role.startsWith('writer') ? count : 0), 0)).toBe(4);
});

test('a run whose database is deleted in the middle is rebuilt from its files, and nothing is written twice', async () => {
  // The last stage waits, so that the run cannot end before its database is gone.
  const flag = join(world.dir, 'join-now');
  const waits = `{run: "while [ ! -e '${flag}' ]; do sleep 0.1; done"}`;
  writeFileSync(join(world.scenarios, 'rebuilt-1-lead.yaml'), `turns: [{when: ".", steps: [${waits}, {leave: {}}]}]\n`);
  await start('rebuilt');
  const done = async () => (await itemsOf('rebuilt-1')).filter(({ state }) => state === 'done').length;
  await untilOf(world, 'rebuilt-1', 'two items to be done', async () => (await done()) >= 2);
  await world.killSupervisor();
  const before = written('rebuilt-1');
  writeFileSync(flag, '');
  for (const path of globSync('llmc.db*', { cwd: world.root })) rmSync(join(world.root, path));
  for (const argv of [['runs'], ['show', 'rebuilt-1']])
    expect(await world.run(argv)).toMatchObject({
      stdout: expect.stringContaining('rebuilt-1'),
      stderr: expect.stringMatching(/llmc\.db is gone: this is what the files of the runs say/),
    });
  await world.comeUp();
  expect((await show('rebuilt-1')).status).toBe('failed');
  const followed = await world.run(['recover', 'rebuilt-1']);
  expect(followed).toMatchObject({ status: 0, stderr: expect.stringContaining('rebuilt-1 goes on. Ctrl+C pauses it') });
  expect((await show('rebuilt-1')).status).toBe('done');
  expect(written('rebuilt-1')).toEqual(['s1', 's2', 's3', 's4']);
  expect(before.length).toBeGreaterThanOrEqual(2);
  expect(readFileSync(join(world.root, 'runs/rebuilt-1/state.yaml'), 'utf8')).toContain('status: done');
});
