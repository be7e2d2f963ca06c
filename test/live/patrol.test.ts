import { expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

const row = z.object({ rounds: z.int(), last_ms: z.int() });
const counts = z.object({ lines: z.int(), reports: z.int() });

test('rounds come at the interval, share one line of the log and one report of why; with --no-patrol there is none', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  await world.ok('down');
  const config = `${world.root}/config.toml`;
  await world.shell(`sed -i.before 's/^patrol_interval_secs = .*/patrol_interval_secs = 1/' '${config}'`);
  await world.comeUp();
  const reports = () => world.rows(row, 'SELECT rounds, last_ms FROM patrols ORDER BY seq');
  await until('three rounds', async () => (reports().at(-1)?.rounds ?? 0) >= 3);
  // At one moment: the next round may have something else to report.
  const counted = "SELECT (SELECT count(*) FROM history WHERE kind = 'patrol') AS lines, (SELECT count(*) FROM patrols) AS reports";
  const [{ lines, reports: rows } = { lines: 0, reports: -1 }] = world.rows(counts, counted);
  expect(lines).toBe(rows);
  expect(await world.ok('why', 'adam')).toMatch(/^Patrol at [\d:]+: nothing to do \(\d+ rounds since [\d:]+\)\.$/m);

  const event = z.object({
    seq: z.int(),
    time: z.string(),
    worker: z.string().nullable(),
    kind: z.string(),
    status: z.string().nullable(),
  });
  const events = async (...args: string[]) =>
    (await world.ok('events', ...args))
      .split('\n')
      .filter(Boolean)
      .map((line) => event.parse(JSON.parse(line)));
  const all = await events();
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
  expect(all).toContainEqual(expect.objectContaining({ worker: 'adam', kind: 'status', status: 'idle' }));
  expect((await events('adam', '--since', String(all.at(-2)?.seq))).length).toBeLessThan(2);

  await world.comeUp('--replace', '--no-patrol');
  const last = reports();
  await world.ok('start', '--prompt', 'Take longer than a second', '--wait', '--timeout', '90s');
  expect(reports()).toEqual(last);
});
