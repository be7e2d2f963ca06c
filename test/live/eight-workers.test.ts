import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { BY_AGENT } from '../support/agent-side.ts';
import { llmcWorld } from '../support/world.ts';

const NAMES = ['adam', 'baker', 'carol', 'dora', 'emil', 'frida', 'gustav', 'hanna'];

const delivery = z.object({
  worker: z.string(),
  text: z.string(),
  state: z.string(),
  attempt: z.int(),
  acked_event: z.int().nullable(),
  ack_source: z.string().nullable(),
});
const event = z.object({ seq: z.int(), worker: z.string(), event: z.string() });

test('eight tasks started at once reach eight workers once each, and land in order on a linear main', async () => {
  await using world = await llmcWorld({ workers: NAMES });
  const begun = await world.git('rev-parse', 'main');
  const tasks = NAMES.map((_, index) => `Count to ${index + 1} in task number ${index + 1}`);

  // No command names a worker: llmc must choose a different one for each task.
  const given = z.object({ worker: z.string(), status: z.string() });
  const started = await Promise.all(tasks.map((task) => world.json(given, 'start', '--prompt', task, '--wait', '--timeout', '90s')));
  expect(started.map(({ worker }) => worker).sort()).toEqual(NAMES);
  expect(started.every(({ status }) => status === 'needs_review')).toBe(true);
  expect((await world.refused(['start', '--prompt', 'One too many'])).code).toBe('NO_IDLE_WORKER');

  const taskOf = new Map(started.map(({ worker }, index) => [worker, tasks[index] ?? '']));
  const { workers } = await world.status();
  expect(workers.map(({ name, current_prompt }) => [name, current_prompt])).toEqual(NAMES.map((name) => [name, taskOf.get(name)]));
  const rows = world.rows(delivery, 'SELECT * FROM deliveries ORDER BY worker');
  const accepted = world.rows(event, "SELECT seq, worker, event FROM events WHERE name = 'prompt_submit' ORDER BY worker");
  expect(rows).toMatchObject(accepted.map(({ worker }) => ({ worker, ack_source: BY_AGENT, state: 'done', attempt: 1 })));
  // Acknowledged by its record, a prompt has no report yet.
  for (const [index, { acked_event }] of rows.entries()) expect([accepted[index]?.seq, null]).toContain(acked_event);
  for (const { worker, text } of rows) expect(text.endsWith(`\n${taskOf.get(worker)}`)).toBe(true);
  for (const { worker, event: text } of accepted) expect(JSON.parse(text).text).toContain(taskOf.get(worker));
  for (const name of NAMES) {
    const lines = readFileSync(join(world.worktree(name), 'llmc-demo', `${name}.md`), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toEqual([expect.stringContaining(`: ${taskOf.get(name)}`)]);
  }

  const order = [...NAMES].reverse();
  for (const name of order) await world.ok('accept', name);
  const landed = (await world.git('log', '--reverse', '--format=%s', `${begun}..main`)).split('\n');
  expect(landed).toEqual(order.map((name) => taskOf.get(name)));
  expect(await world.git('log', '--merges', '--format=%H', 'main')).toBe('');
  expect(await world.git('rev-list', '--count', `${begun}..main`)).toBe('8');
  expect((await world.git('ls-files', 'llmc-demo')).split('\n')).toHaveLength(8);
  expect(await world.git('status', '--porcelain')).toBe('');
  expect((await world.status()).workers.every(({ status, attention }) => status === 'idle' && attention === null)).toBe(true);
});
