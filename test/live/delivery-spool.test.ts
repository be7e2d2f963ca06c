import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  BY_AGENT,
  commitsOf,
  crowd,
  deliveriesOf,
  environmentOf,
  historyOf,
  longTurn,
  movesOf,
  openGate,
  promptsReported,
  reaches,
  tasksGiven,
} from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';

const task = (worker: string) => `Write down that ${worker} was here`;

describe('a spool', () => {
  let world: World;

  beforeAll(async () => {
    world = await crowd({ garbage: longTurn('garbage'), stale: longTurn('stale'), flood: longTurn('flood'), beside: '', blocked: '' });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const spool = (worker: string) => join(world.root, 'events', worker);
  const drop = (worker: string, name: string, content: string | Buffer) => writeFileSync(join(spool(worker), name), content);
  /** Writes under a hidden name first, as a hook does. */
  const report = (worker: string, name: string, content: string | Buffer) => {
    drop(worker, `.${name}`, content);
    renameSync(join(spool(worker), `.${name}`), join(spool(worker), name));
  };
  const sealOf = async (worker: string) => (await environmentOf(world, worker)).LLMC_SEAL ?? '';
  const start = (worker: string) => world.ok('start', '--worker', worker, '--prompt', task(worker));

  async function once(worker: string): Promise<void> {
    await reaches(world, worker, 'needs_review');
    expect(tasksGiven(world, worker)).toEqual([task(worker)]);
    expect(await commitsOf(world, worker)).toHaveLength(1);
    expect(movesOf(world, worker).slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
    expect(deliveriesOf(world, worker)).toMatchObject([{ state: 'done', attempt: 1 }]);
  }

  test('full of garbage is cleared and logged, and changes nothing', async () => {
    await start('garbage');
    const seal = await sealOf('garbage');
    const garbage = {
      'hello.txt': 'not an event',
      '1~stop~cut.json': `${seal}\n{"message": "cut of`,
      '1~stop~empty.json': '',
      '1~stop~null.json': `${seal}\nnull`,
      '1~stop~bytes.json': Buffer.from([0, 255, 254, 10, 34]),
      '1~stop~vast.json': ' '.repeat(9 << 20),
      'x~stop~number.json': '{}',
      '1~prompt_submit~type.json': `${seal}\n{"prompt": 5}`,
      '1~no_such_event~name.json': `${seal}\n{}`,
    };
    // Rename each complete file: a reader that finds it half-written would change the count below.
    for (const [name, content] of Object.entries(garbage)) report('garbage', name, content);
    drop('garbage', '../1~stop~above.json', '{}');
    // These are not files: a reader that opened the pipe would hang.
    mkdirSync(join(spool('garbage'), '1~stop~folder.json'));
    symlinkSync('1~stop~loop.json', join(spool('garbage'), '1~stop~loop.json'));
    execFileSync('mkfifo', [join(spool('garbage'), '1~stop~pipe.json')]);
    drop('garbage', '.1~stop~unfinished.json', '{"message": "still being wr');

    // The agent reports nothing meanwhile, because it waits at its gate.
    await until('the garbage to be gone', async () => readdirSync(spool('garbage')).length === 4);
    expect(readdirSync(spool('garbage')).sort()).toEqual([
      '.1~stop~unfinished.json',
      '1~stop~folder.json',
      '1~stop~loop.json',
      '1~stop~pipe.json',
    ]);
    openGate(world, 'garbage');
    await once('garbage');
    const logged = historyOf(world, 'garbage', 'event').map(({ summary }) => /^ignored (\d+) unreadable event files: /.exec(summary)?.[1]);
    expect(logged.reduce((sum, count) => sum + Number(count), 0)).toBe(6);
  });

  test('with files of another incarnation: they are recorded as stale, and have no effect', async () => {
    await start('stale');
    for (const incarnation of [0, 2, 999_999_999]) {
      report('stale', `${incarnation}~stop~old.json`, '{"message": "I am done"}');
      report('stale', `${incarnation}~prompt_submit~old.json`, '{"prompt": "something else"}');
      report('stale', `${incarnation}~session_start~old.json`, '{"session_id": "another", "source": "startup"}');
    }
    await until('the files to be read', async () => readdirSync(spool('stale')).length === 0);
    expect(await world.ok('why', 'stale', '--full')).toMatch(/stop \(incarnation 0, stale\)/);
    openGate(world, 'stale');
    await once('stale');
    const fates = world.rows(z.object({ fate: z.string() }), "SELECT fate FROM events WHERE worker = 'stale' AND id LIKE '%~old.json@%'");
    expect(fates.map(({ fate }) => fate)).toEqual(Array(9).fill('stale'));
  });

  test('with thousands of files is processed, and no other worker waits for it', async () => {
    await start('flood');
    const seal = await sealOf('flood');
    for (let index = 0; index < 3_000; index += 1)
      report('flood', `1~tool_start~${String(index).padStart(6, '0')}.json`, `${seal}\n{"tool": "Bash"}`);
    for (let index = 0; index < 500; index += 1) drop('flood', `garbage-${index}`, 'x');
    await start('beside');
    const [row] = deliveriesOf(world, 'beside');
    expect((row?.acked_ms ?? Number.POSITIVE_INFINITY) - (row?.created_ms ?? 0)).toBeLessThan(60_000);
    await once('beside');
    openGate(world, 'flood');
    await once('flood');
    await until('the spool to be empty', async () => readdirSync(spool('flood')).length === 0);
    const [count] = world.rows(
      z.object({ n: z.int() }),
      "SELECT count(*) AS n FROM events WHERE worker = 'flood' AND id LIKE '%~00____.json@%'",
    );
    expect(count).toEqual({ n: 3_000 });
  });

  test('that cannot be read or written: the agent’s record takes over, and the hooks again when it can', async () => {
    renameSync(spool('blocked'), `${spool('blocked')}-aside`);
    writeFileSync(spool('blocked'), 'a file where the directory was');
    await start('blocked');
    await once('blocked');
    expect(deliveriesOf(world, 'blocked')).toMatchObject([{ ack_source: 'transcript' }]);

    rmSync(spool('blocked'));
    renameSync(`${spool('blocked')}-aside`, spool('blocked'));
    await world.ok('message', 'blocked', 'And one thing more');
    await reaches(world, 'blocked', 'needs_review');
    expect(tasksGiven(world, 'blocked')).toEqual([task('blocked'), 'And one thing more']);
    expect(deliveriesOf(world, 'blocked')).toMatchObject([
      { ack_source: 'transcript' },
      { state: 'done', attempt: 1, ack_source: BY_AGENT },
    ]);
    await until('the report of the second prompt', async () => promptsReported(world, 'blocked').length === 1);
    expect(existsSync(spool('blocked'))).toBe(true);
  });
});
