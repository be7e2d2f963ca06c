import { cpSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deliveriesOf, longTurn, openGate, reaches, tasksGiven } from '../support/agent-side.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { type MountedDisk, mountDisk, needsDisk } from '../support/small-disk.ts';
import { llmcWorld, type World } from '../support/world.ts';

interface Fault {
  readonly name: string;
  readonly says: RegExp;
  readonly command: string;
  begin(world: World, disk: MountedDisk): Promise<() => void>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a full disk',
    says: /the disk is full/,
    command: 'df -h ',
    async begin(_, disk) {
      disk.fill();
      return () => disk.free();
    },
  },
  {
    name: 'a read-only file system',
    says: /mounted read-only/,
    command: 'findmnt -T ',
    async begin(_, disk) {
      disk.readOnly();
      return () => disk.writable();
    },
  },
  {
    name: 'a locked database',
    says: /another program has locked llmc\.db/,
    command: 'fuser -v ',
    async begin(world) {
      const other = new DatabaseSync(join(world.root, 'llmc.db'), { timeout: 30_000 });
      other.exec('BEGIN EXCLUSIVE');
      return () => other.close();
    },
  },
];

/** Each kind of refusal has its unit tests in src/supervisor/observe; the full run brings each to a whole root. */
const faults = rowsOfThisRun(FAULTS, ({ name }) => name === 'a full disk');

/** Moves a whole root onto a disk of its own; call it before `up`. */
function rootDisk(world: World): MountedDisk & AsyncDisposable {
  const before = `${world.root}-before`;
  renameSync(world.root, before);
  const disk = mountDisk(world.root, '32m');
  cpSync(before, world.root, { recursive: true, verbatimSymlinks: true });
  return {
    ...disk,
    async [Symbol.asyncDispose]() {
      disk.writable();
      disk.free();
      await world.run(['down', '--force']);
      disk[Symbol.dispose]();
    },
  };
}

const problemsOf = async (world: World) => (await world.status()).problems;
const task = (worker: string, fault: string) => `Write down that ${worker} met ${fault}`;
const history = z.object({ summary: z.string() });

test('while nothing can be written the supervisor waits, says why once, and then every worker continues by itself', async (context) => {
  needsDisk(context);
  await using world = await llmcWorld({ workers: ['adam', 'eve'], stage: 'root', scenario: { adam: longTurn('adam') } });
  await using disk = rootDisk(world);
  await world.ok('up', '--detach');
  const pids = () => Promise.all([world.panePid('adam'), world.panePid('eve'), world.supervisorPid()]);
  await world.ok('start', '--worker', 'adam', '--prompt', 'Take long');
  expect(await world.ok('message', 'adam', 'And one thing more')).toContain('Queued');

  const given: string[] = [];
  for (const { name, says, command, begin } of faults) {
    const before = await pids();
    const end = await begin(world, disk);
    // The supervisor finds the fault by its own trial write. A command sent before that may still succeed: open files stay writable.
    await until(`${name} in the status`, async () => says.test((await problemsOf(world))[0] ?? ''));
    expect(await world.refused(['start', '--worker', 'eve', '--prompt', 'unheard'])).toMatchObject({
      message: expect.stringMatching(says),
      hint: expect.stringContaining(command),
    });
    expect(await world.ok('why', 'adam')).toMatch(says);
    end();
    await until(`the end of ${name}`, async () => (await problemsOf(world)).length === 0);
    expect(await pids()).toEqual(before);

    await world.ok('start', '--worker', 'eve', '--prompt', task('eve', name));
    await reaches(world, 'eve', 'needs_review');
    await world.ok('reset', 'eve');
    given.push(task('eve', name));
  }
  openGate(world, 'adam');
  await reaches(world, 'adam', 'needs_review');
  expect(tasksGiven(world, 'adam')).toEqual(['Take long', 'And one thing more']);
  expect(tasksGiven(world, 'eve')).toEqual(given);
  expect(deliveriesOf(world, 'adam').map(({ state, attempt }) => [state, attempt])).toEqual([
    ['done', 1],
    ['done', 1],
  ]);
  const recorded = world.rows(history, "SELECT summary FROM history WHERE kind = 'trouble' ORDER BY seq");
  expect(recorded.map(({ summary }) => summary)).toEqual(faults.map(({ says }) => expect.stringMatching(says)));
  const waits = readFileSync(join(world.root, 'logs', 'llmc.log'), 'utf8').match(/waits until it can write again/g);
  expect(waits?.length ?? 0).toBeLessThanOrEqual(faults.length);
});
