import { expect, test } from 'vitest';
import {
  BY_AGENT,
  commitsOf,
  deliveriesOf,
  longTurn,
  movesOf,
  openGate,
  promptsReported,
  reaches,
  tasksGiven,
} from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { needsDisk, smallDisk } from '../support/small-disk.ts';
import { llmcWorld, type World } from '../support/world.ts';

const task = (worker: string) => `Write down that ${worker} was here`;
const start = (world: World, worker: string) => world.run(['--json', 'start', '--worker', worker, '--prompt', task(worker)]);

test('a full disk of the spool keeps hooks from reporting, and the prompt still arrives once', async (context) => {
  needsDisk(context);
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  await using disk = smallDisk(world, 'spool');
  await world.ok('up', '--detach');
  disk.fill();
  expect(await start(world, 'adam')).toMatchObject({ status: 0 });
  await reaches(world, 'adam', 'needs_review');
  expect(deliveriesOf(world, 'adam')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'transcript' }]);
  expect(tasksGiven(world, 'adam')).toEqual([task('adam')]);
  expect(await commitsOf(world, 'adam')).toHaveLength(1);

  disk.free();
  await world.ok('message', 'adam', 'And one thing more');
  await reaches(world, 'adam', 'needs_review');
  expect(deliveriesOf(world, 'adam').at(-1)).toMatchObject({ state: 'done', attempt: 1, ack_source: BY_AGENT });
  await until('the report of the second prompt', async () => promptsReported(world, 'adam').length === 1);
  expect(tasksGiven(world, 'adam')).toEqual([task('adam'), 'And one thing more']);
});

test('a full disk of the ledger stops typing, because no delivery can be recorded; all work continues when there is room', async (context) => {
  needsDisk(context);
  await using world = await llmcWorld({
    workers: ['idle', 'held', 'typed'],
    stage: 'root',
    // On a slow machine the disk fills up after the pause between paste and Enter: the agent swallows that one.
    scenario: { held: longTurn('held'), typed: 'misbehave: [swallow_first_enter]' },
    config: '[delivery]\ndebounce_base_ms = 3000\nmax_debounce_ms = 3000',
  });
  await using disk = smallDisk(world, 'spool and ledger');
  await world.ok('up', '--detach');
  const before = await Promise.all(['idle', 'held', 'typed'].map((worker) => world.panePid(worker)));

  // The first prompt waits for a busy agent, the second is in the box before its Enter, the third is not sent yet.
  expect(await start(world, 'held')).toMatchObject({ status: 0 });
  expect(await world.ok('message', 'held', 'And one thing more')).toContain('Queued');
  const typing = start(world, 'typed');
  await until('the second prompt to be typed', async () => deliveriesOf(world, 'typed')[0]?.state === 'typed');
  disk.fill();
  // The first write that fails is one of the ledger or of a file beside it.
  const refused = await start(world, 'idle');
  expect(refused).toMatchObject({
    status: 2,
    stdout: expect.stringMatching(/"(?:DATABASE|FILESYSTEM)_ERROR".*the disk is full.*Free some space/s),
  });
  openGate(world, 'held');
  await until('the turn of the busy one to end', async () => (await commitsOf(world, 'held')).length === 1);
  expect([tasksGiven(world, 'held'), tasksGiven(world, 'typed'), tasksGiven(world, 'idle')]).toEqual([[task('held')], [], []]);
  expect(await world.ok('status')).toContain('held');

  disk.free();
  expect(await typing).toMatchObject({ status: 0 });
  await reaches(world, 'held', 'needs_review');
  await reaches(world, 'typed', 'needs_review');
  expect(tasksGiven(world, 'held')).toEqual([task('held'), 'And one thing more']);
  expect(tasksGiven(world, 'typed')).toEqual([task('typed')]);
  expect(await start(world, 'idle')).toMatchObject({ status: 0 });
  await reaches(world, 'idle', 'needs_review');
  expect(tasksGiven(world, 'idle')).toEqual([task('idle')]);
  expect(movesOf(world, 'idle').slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
  expect(await Promise.all(['idle', 'held', 'typed'].map((worker) => world.panePid(worker)))).toEqual(before);
  expect((await world.status()).workers.map(({ status }) => status)).toEqual(['needs_review', 'needs_review', 'needs_review']);
});
