import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFullRun, testOfFullRun } from '../support/full-run.ts';
import { moments } from '../support/moments.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { DOCUMENT, notesOf, playBuiltIns, SECTIONS, STORIES } from './built-in-world.ts';
import { Pipeline, pipelineWorld, stateOf } from './pipeline-world.ts';

/** Of each kind, on each workflow, over several runs: 20 in the full run. */
const MOMENTS = 5;
const SEEDS = isFullRun ? [1, 2, 3, 4] : [1];

let world: World;
beforeAll(async () => {
  world = await pipelineWorld();
  playBuiltIns(world);
});
afterAll(async () => await world[Symbol.asyncDispose]());

type Disturb = (pipeline: Pipeline) => Promise<void>;

/** What Ctrl+C on `llmc run` does, from another terminal; recovery-checklist.test.ts has the key itself. */
async function pauseAndResume(pipeline: Pipeline): Promise<void> {
  await world.run(['pause', pipeline.run]);
  // It may end in the same moment; and on a busy machine the engine takes the pause after the command has ended.
  const { status } = await pipeline.wait('paused,done,failed,waiting');
  if (status === 'paused') await world.ok('resume', pipeline.run, '--detach');
}

async function killAndUp(): Promise<void> {
  await world.killSupervisor();
  await world.comeUp();
}

/** Lets a run reach its end, and disturbs it at random moments. */
async function disturbed(pipeline: Pipeline, seed: number, kinds: readonly Disturb[]): Promise<void> {
  const moment = moments(seed, 5_000);
  for (const disturb of kinds) {
    await moment();
    if ((await pipeline.show()).status !== 'running') break;
    await disturb(pipeline);
  }
  const view = await pipeline.wait('done,failed,waiting,paused');
  expect(view.status, `${pipeline.run}, seed ${seed}: ${await world.ok('why', pipeline.run)}`).toBe('done');
}

/** How often the agents of a run did this. */
function noted(run: string, what: string): number {
  const lines = existsSync(notesOf(world)) ? readFileSync(notesOf(world), 'utf8').split('\n') : [];
  return lines.filter((line) => line.startsWith(`${run}-`) && line.endsWith(` ${what}`)).length;
}

function expectDocument(pipeline: Pipeline, seed: number): void {
  const [document = ''] = pipeline.files('artifacts/8-*-review.md');
  expect(pipeline.read(document), `seed ${seed}`).toBe(DOCUMENT);
  expect(
    SECTIONS.map((id) => noted(pipeline.run, `section ${id}`)),
    `${pipeline.run}, seed ${seed}`,
  ).toEqual(SECTIONS.map(() => 1));
}

async function review(): Promise<Pipeline> {
  const started = await world.ok('run', 'literature-review', '--input', 'question=How often?', '--input', 'tier=simple', '--detach');
  return Pipeline.of(world, /literature-\d+/.exec(started)?.[0] ?? started);
}

async function stories(seed: number): Promise<{ readonly pipeline: Pipeline; readonly epic: string }> {
  const epic = join(world.dir, `epic-${seed}.yaml`);
  writeFileSync(epic, `stories:\n${STORIES.map((id) => `  - {id: ${id}, title: Story ${id}}\n`).join('')}`);
  const started = await world.ok('run', 'stories', '--input', `epic=${epic}`, '--input', 'unattended', '--detach');
  return { pipeline: Pipeline.of(world, /stories-\d+/.exec(started)?.[0] ?? started), epic };
}

async function expectStories({ pipeline: { run }, epic }: Awaited<ReturnType<typeof stories>>, seed: number): Promise<void> {
  const landed = (await world.git('log', '--reverse', '--format=%s', 'main'))
    .split('\n')
    .filter((line) => line.endsWith(`${run}-developer`));
  expect(landed, `${run}, seed ${seed}`).toEqual(STORIES.map((id) => `Story ${id} by ${run}-developer`));
  expect(readFileSync(epic, 'utf8')).toBe(
    `stories:\n${STORIES.map((id) => `  - {id: ${id}, title: Story ${id}, status: done}\n`).join('')}`,
  );
}

test.each(SEEDS)('literature-review: paused at random moments, and once killed, the same document (seed %i)', async (seed) => {
  const pipeline = await review();
  await disturbed(pipeline, seed, [killAndUp, ...Array.from({ length: isFullRun ? MOMENTS : 1 }, () => pauseAndResume)]);
  expectDocument(pipeline, seed);
});

test('literature-review: a person skips the checks of the sections, has the last stage made again, and no section is written twice', async () => {
  const pipeline = await review();
  // It begins long after the scope.
  for (const role of ['validator', 'validator-2', 'validator-3', 'validator-4'])
    pipeline.play(role, { when: 'Check every citation', steps: [{ run: pipeline.gate('never') }] });
  const isWritten = async () => SECTIONS.every((id) => pipeline.files(`artifacts/5/${id}-*`).length > 0);
  await until('the sections', isWritten, 240_000);
  await world.ok('pause', pipeline.run, '--now');
  await world.ok('resume', pipeline.run, '--skip-to', '7', '--detach');
  const view = await pipeline.wait();
  expect(view.status, await world.ok('why', pipeline.run)).toBe('done');
  expectDocument(pipeline, 0);
  expect(SECTIONS.map((id) => stateOf(view, `sections/${id}`))).toMatchObject(
    SECTIONS.map(() => ({ state: 'done', marks: ['unverified'] })),
  );

  await world.ok('recover', pipeline.run, '--from', '8', '--detach');
  const again = await pipeline.wait('done,failed');
  expect([again.status, stateOf(again, '8')?.state, stateOf(again, '8-check')?.state]).toEqual(['done', 'done', 'done']);
  expectDocument(pipeline, 0);
  expect(pipeline.files('archive/1-8/**/*review.md').length).toBe(1);
});

for (const seed of isFullRun ? SEEDS : []) {
  testOfFullRun(`literature-review: kill -9 of the supervisor at random moments, the same document (seed ${seed})`, async () => {
    const pipeline = await review();
    await disturbed(
      pipeline,
      seed,
      Array.from({ length: MOMENTS }, () => killAndUp),
    );
    expectDocument(pipeline, seed);
  });
  testOfFullRun(`stories, five of them: paused at random moments, each lands once and in order (seed ${seed})`, async () => {
    const started = await stories(seed);
    await disturbed(
      started.pipeline,
      seed,
      Array.from({ length: MOMENTS }, () => pauseAndResume),
    );
    await expectStories(started, seed);
  });
  testOfFullRun(
    `stories, five of them: kill -9 of the supervisor at random moments, each lands once and in order (seed ${seed})`,
    async () => {
      const started = await stories(100 + seed);
      await disturbed(
        started.pipeline,
        seed,
        Array.from({ length: MOMENTS }, () => killAndUp),
      );
      await expectStories(started, seed);
    },
  );
}

// for-each.test.ts deletes the database of a smaller run in each run of the suite.
testOfFullRun('literature-review: the database is deleted in the middle, and the document is the same', async () => {
  const pipeline = await review();
  const isHalfDone = async () => SECTIONS.filter((id) => noted(pipeline.run, `section ${id}`) > 0).length >= 3;
  await until('three sections', isHalfDone, 240_000);
  await until('one of them to be done', async () => SECTIONS.some((id) => existsDone(pipeline, id)), 240_000);
  await world.killSupervisor();
  for (const path of globSync('llmc.db*', { cwd: world.root })) rmSync(join(world.root, path));
  await world.comeUp();
  await world.ok('recover', pipeline.run, '--detach');
  const view = await pipeline.wait('done,failed,waiting');
  expect(view.status, await world.ok('why', pipeline.run)).toBe('done');
  expect(stateOf(view, 'sections')?.state).toBe('done');
  const [document = ''] = pipeline.files('artifacts/8-*-review.md');
  expect(pipeline.read(document)).toBe(DOCUMENT);
});

function existsDone(pipeline: Pipeline, id: string): boolean {
  return pipeline.files(`stage_6c~${id}_complete.yaml`).length > 0;
}
