import { expect, test } from 'vitest';
import { historyOf } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

test('five `up --detach` at once: one supervisor acts, all report it, and after `down` none of the others takes its place', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  const runs = await Promise.all(Array.from({ length: 5 }, () => world.run(['up', '--detach', '--json'])));
  expect(runs.map(({ status, stderr }) => ({ status, stderr }))).toEqual(runs.map(() => ({ status: 0, stderr: '' })));
  const pids = new Set(runs.map(({ stdout }) => JSON.parse(stdout).pid));
  expect([...pids]).toEqual([(await world.status()).supervisor.pid]);
  expect(historyOf(world, 'adam', 'launch')).toHaveLength(1);

  await world.ok('down');
  await until('every supervisor to end', async () => !world.processes().some((line) => / up --json /.test(line)));
  expect((await world.status()).supervisor.pid).toBeNull();
  expect(historyOf(world, 'adam', 'launch')).toHaveLength(1);
});
